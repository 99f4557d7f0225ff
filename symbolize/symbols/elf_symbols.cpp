#include "symbolize/symbols/elf_symbols.h"

#include "symbolize/elf/compression.h"
#include "symbolize/elf/elf_symbol_reader.h"

namespace perfsift::symbolize {

namespace {

using Section = ElfFile::Section;

bool is_function(const GElf_Sym& symbol) {
  const auto type = GELF_ST_TYPE(symbol.st_info);
  return type == STT_FUNC || type == STT_GNU_IFUNC;
}

// A name in assembly without a type. Hidden labels are jump targets of hand-written assembly.
bool is_label(const GElf_Sym& symbol) {
  const auto visibility = GELF_ST_VISIBILITY(symbol.st_other);
  return GELF_ST_TYPE(symbol.st_info) == STT_NOTYPE && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
}

bool holds_text_or_data(const Section& section) {
  return section.name.find("text") != std::string_view::npos || section.name.find("data") != std::string_view::npos;
}

// "$a", "$d", "$x", "$t", "$d.42" mark where code and data alternate on ARM and RISC-V: they name nothing.
bool is_mapping_symbol(std::string_view name, std::uint16_t machine) {
  if (machine != EM_ARM && machine != EM_AARCH64 && machine != EM_RISCV) return false;
  return name.size() >= 2 && name[0] == '$' && std::string_view("adtx").find(name[1]) != std::string_view::npos &&
         (name.size() == 2 || name[2] == '.');
}

// Whether the symbol can name a sampled address. Sections that are not loaded, such as .gnu.warning.*, are not code.
bool is_wanted(const ElfSymbol& symbol) {
  if (symbol.name.empty() || symbol.section == nullptr || (symbol.section->header.sh_flags & SHF_ALLOC) == 0)
    return false;
  if (is_function(symbol.fields) || GELF_ST_TYPE(symbol.fields.st_info) == STT_OBJECT) return true;
  return is_label(symbol.fields) && holds_text_or_data(*symbol.section);
}

Binding binding_of(const GElf_Sym& symbol) {
  switch (GELF_ST_BIND(symbol.st_info)) {
    case STB_LOCAL:
      return Binding::local;
    case STB_WEAK:
      return Binding::weak;
    default:  // STB_GLOBAL, STB_GNU_UNIQUE
      return Binding::global;
  }
}

void add_table(const ElfFile& file, const Section* table, const Placement& place, SymbolTable& to) {
  if (table == nullptr) return;
  const std::uint16_t machine = file.header().e_machine;
  const ElfSymbolReader symbols(file, *table);
  to.reserve(symbols.count());
  for (std::size_t i = 1; i < symbols.count(); ++i) {
    const auto symbol = symbols.at(i);
    if (!symbol) return;
    if (!is_wanted(*symbol) || is_mapping_symbol(symbol->name, machine)) continue;
    std::uint64_t address = symbol->fields.st_value;
    if (machine == EM_ARM && is_function(symbol->fields)) address &= ~std::uint64_t{1};  // says: Thumb code

    const auto start = place(address, *symbol->section);
    if (!start) continue;
    to.add({.start = *start,
            .end = end_of(*start, symbol->fields.st_size),
            .name = symbol->name,
            .binding = binding_of(symbol->fields),
            .label = GELF_ST_TYPE(symbol->fields.st_info) == STT_NOTYPE});
  }
}

}  // namespace

Placement place_in_file(const ElfFile& runtime) {
  return [&runtime](std::uint64_t value, const Section& section) -> std::optional<std::uint64_t> {
    if (const auto offset = runtime.file_offset(value)) return offset;
    if (section.header.sh_type == SHT_NOBITS) return std::nullopt;
    return value - section.header.sh_addr + section.header.sh_offset;
  };
}

void add_symtab(const ElfFile& file, const Placement& place, SymbolTable& to) {
  add_table(file, file.section(SHT_SYMTAB), place, to);
}

void add_dynsym(const ElfFile& file, const Placement& place, SymbolTable& to) {
  add_table(file, file.section(SHT_DYNSYM), place, to);
}

std::shared_ptr<ElfFile> mini_debuginfo(const ElfFile& file) {
  const Section* packed = file.section(".gnu_debugdata");
  if (packed == nullptr) return nullptr;
  auto image = unpack(file.bytes(*packed));
  return image ? ElfFile::from_memory(std::move(*image), file.path()) : nullptr;
}

}  // namespace perfsift::symbolize
