#include "symbolize/elf_symbols.h"

#include <algorithm>
#include <limits>

#include "symbolize/compression.h"

namespace perfsift::symbolize {

namespace {

using Section = ElfFile::Section;

bool is_function(const GElf_Sym& symbol) {
  const auto type = GELF_ST_TYPE(symbol.st_info);
  return type == STT_FUNC || type == STT_GNU_IFUNC;
}

// A name in assembly that nobody gave a type. Hidden ones are the assembler programmer's own jump targets.
bool is_label(const GElf_Sym& symbol) {
  const auto visibility = GELF_ST_VISIBILITY(symbol.st_other);
  return GELF_ST_TYPE(symbol.st_info) == STT_NOTYPE && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
}

bool holds_text_or_data(const Section& section) {
  return section.name.find("text") != std::string_view::npos || section.name.find("data") != std::string_view::npos;
}

// ARM and RISC-V mark where code and data alternate with "$a", "$d", "$x", "$t", "$d.42": not names of anything.
bool is_mapping_symbol(std::string_view name, std::uint16_t machine) {
  if (machine != EM_ARM && machine != EM_AARCH64 && machine != EM_RISCV) return false;
  return name.size() >= 2 && name[0] == '$' && std::string_view("adtx").find(name[1]) != std::string_view::npos &&
         (name.size() == 2 || name[2] == '.');
}

bool has_section_number(const GElf_Sym& symbol) {
  return symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
}

// Whether the symbol can name a sampled address.
bool is_wanted(const GElf_Sym& symbol, const Section* section) {
  if (symbol.st_name == 0 || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS) return false;
  // Sections that are not loaded, such as .gnu.warning.*, are not code. With more than 65,279 sections the number is
  // elsewhere (SHN_XINDEX): then functions and objects are taken at their word.
  if (section != nullptr && (section->header.sh_flags & SHF_ALLOC) == 0) return false;
  if (section == nullptr && symbol.st_shndx != SHN_XINDEX) return false;
  if (is_function(symbol) || GELF_ST_TYPE(symbol.st_info) == STT_OBJECT) return true;
  return is_label(symbol) && section != nullptr && holds_text_or_data(*section);
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
  if (table == nullptr || table->header.sh_link >= file.sections().size()) return;
  Elf_Data* data = file.data(*table);
  const Bytes strings = file.bytes(file.sections()[table->header.sh_link]);
  if (data == nullptr || strings.empty()) return;

  const std::uint16_t machine = file.header().e_machine;
  const bool class32 = file.header().e_ident[EI_CLASS] == ELFCLASS32;
  const std::size_t count = data->d_size / (class32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym));
  to.reserve(count);
  for (std::size_t i = 1; i < std::min<std::size_t>(count, std::numeric_limits<int>::max()); ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return;
    const bool in_table = has_section_number(symbol) && symbol.st_shndx < file.sections().size();
    const Section* section = in_table ? &file.sections()[symbol.st_shndx] : nullptr;
    if (!is_wanted(symbol, section) || symbol.st_name >= strings.size()) continue;

    const std::string_view name = c_string(strings.subspan(symbol.st_name));
    if (name.empty() || is_mapping_symbol(name, machine)) continue;
    if (machine == EM_ARM && is_function(symbol)) symbol.st_value &= ~GElf_Addr{1};  // says: Thumb code

    const auto start = place(symbol.st_value, section);
    if (start) to.add({*start, end_of(*start, symbol.st_size), name, binding_of(symbol)});
  }
}

}  // namespace

Placement place_in_file(const ElfFile& runtime) {
  return [&runtime](std::uint64_t value, const Section* section) -> std::optional<std::uint64_t> {
    if (const auto offset = runtime.file_offset(value)) return offset;
    if (section == nullptr || section->header.sh_type == SHT_NOBITS) return std::nullopt;
    return value - section->header.sh_addr + section->header.sh_offset;
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
