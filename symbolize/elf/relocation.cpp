#include "symbolize/elf/relocation.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "symbolize/elf/elf_symbol_reader.h"

namespace perfsift::symbolize {

namespace {

using Section = ElfFile::Section;

// The types of relocations that compilers use in debug sections. Other types are for thread-local variables, or do
// nothing.
struct Machine {
  std::uint16_t number;  // EM_…
  std::uint32_t word32, word64;
};
constexpr Machine machines[] = {{EM_X86_64, R_X86_64_32, R_X86_64_64},
                                {EM_AARCH64, R_AARCH64_ABS32, R_AARCH64_ABS64},
                                {EM_386, R_386_32, R_386_NONE}};

// Whether the field of an instruction counts from the end of the instruction.
bool is_relative(std::uint16_t machine, std::uint32_t type) {
  return machine == EM_X86_64 && (type == R_X86_64_PC32 || type == R_X86_64_PLT32 || type == R_X86_64_GOTPCREL ||
                                  type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX);
}

const Machine* machine_of(const ElfFile& file) {
  for (const Machine& machine : machines)
    if (machine.number == file.header().e_machine) return &machine;
  return nullptr;
}

// A section has at most one section of relocations.
const Section* relocations_of(const ElfFile& file, const Section& target) {
  const auto number = static_cast<std::size_t>(&target - file.sections().data());
  for (const Section& section : file.sections()) {
    const bool right_type = section.header.sh_type == SHT_RELA || section.header.sh_type == SHT_REL;
    if (right_type && section.header.sh_info == number) return &section;
  }
  return nullptr;
}

// One entry of SHT_RELA or SHT_REL. The addend of SHT_REL stands in the place of the result.
struct Relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::size_t symbol = 0;
  std::optional<std::uint64_t> addend;
};

std::optional<Relocation> read_relocation(Elf_Data* from, int number, std::uint32_t section_type) {
  if (section_type == SHT_REL) {
    GElf_Rel entry;
    if (gelf_getrel(from, number, &entry) == nullptr) return std::nullopt;
    return Relocation{.offset = entry.r_offset,
                      .type = static_cast<std::uint32_t>(GELF_R_TYPE(entry.r_info)),
                      .symbol = GELF_R_SYM(entry.r_info)};
  }
  GElf_Rela entry;
  if (gelf_getrela(from, number, &entry) == nullptr) return std::nullopt;
  return Relocation{.offset = entry.r_offset,
                    .type = static_cast<std::uint32_t>(GELF_R_TYPE(entry.r_info)),
                    .symbol = GELF_R_SYM(entry.r_info),
                    .addend = static_cast<std::uint64_t>(entry.r_addend)};
}

// Debug sections begin at 0.
std::optional<std::uint64_t> address_of(const std::optional<ElfSymbol>& symbol) {
  if (!symbol || symbol->section == nullptr) return std::nullopt;
  const bool loaded = (symbol->section->header.sh_flags & SHF_ALLOC) != 0;
  return loaded && !holds_code(*symbol->section) ? std::nullopt : std::optional(symbol->fields.st_value);
}

// Numbers of a file, in its byte order.
template <typename T>
class Field {
 public:
  Field(std::span<std::byte> contents, std::uint64_t offset, ByteOrder order)
      : place_(contents.subspan(offset, sizeof(T)).data()), order_(order) {}
  T get() const {
    T value;
    std::memcpy(&value, place_, sizeof value);
    return order_ == ByteOrder::native ? value : byte_swap(value);
  }
  void set(std::uint64_t wide) {
    const auto cut = static_cast<T>(wide);
    const T value = order_ == ByteOrder::native ? cut : byte_swap(cut);
    std::memcpy(place_, &value, sizeof value);
  }

 private:
  std::byte* place_;
  ByteOrder order_;
};

// Calls read(relocation, symbol) for each relocation of a section.
template <typename Read>
void for_each_relocation(const ElfFile& file, const Section& section, Read&& read) {
  const Section* const list = relocations_of(file, section);
  if (list == nullptr || list->header.sh_link >= file.sections().size()) return;
  Elf_Data* const data = file.data(*list);
  if (data == nullptr) return;
  const ElfSymbolReader symbols(file, file.sections()[list->header.sh_link]);
  for (int i = 0; const auto relocation = read_relocation(data, i, list->header.sh_type); ++i)
    read(*relocation, symbols.at(relocation->symbol));
}

template <typename T>
void fill_in(const Relocation& relocation, std::optional<std::uint64_t> address, std::span<std::byte> contents,
             ByteOrder order) {
  if (contents.size() < sizeof(T) || relocation.offset > contents.size() - sizeof(T)) return;
  Field<T> field(contents, relocation.offset, order);
  field.set(address ? *address + relocation.addend.value_or(field.get()) : nowhere);
}

}  // namespace

bool can_relocate(const ElfFile& file) { return machine_of(file) != nullptr; }

bool has_relocations(const ElfFile& file, const Section& section) { return relocations_of(file, section) != nullptr; }

void relocate(const ElfFile& file, const Section& section, std::span<std::byte> contents) {
  const Machine* const machine = machine_of(file);
  if (machine == nullptr) return;
  for_each_relocation(file, section, [&](const Relocation& relocation, const std::optional<ElfSymbol>& symbol) {
    if (relocation.type == machine->word64)
      fill_in<std::uint64_t>(relocation, address_of(symbol), contents, file.byte_order());
    else if (relocation.type == machine->word32)
      fill_in<std::uint32_t>(relocation, address_of(symbol), contents, file.byte_order());
  });
}

std::vector<Reference> references_of(const ElfFile& file, const Section& section) {
  std::vector<Reference> references;
  for_each_relocation(file, section, [&](const Relocation& relocation, const std::optional<ElfSymbol>& symbol) {
    if (!symbol) return;
    const bool is_section = symbol->section != nullptr && GELF_ST_TYPE(symbol->fields.st_info) == STT_SECTION;
    references.push_back({.offset = relocation.offset,
                          .symbol = is_section ? symbol->section->name : symbol->name,
                          .addend = relocation.addend.value_or(0),
                          .relative = is_relative(file.header().e_machine, relocation.type)});
  });
  std::ranges::stable_sort(references, {}, &Reference::offset);
  return references;
}

}  // namespace perfsift::symbolize
