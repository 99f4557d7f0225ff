#include "tests/support/plt_program.h"

#include "tests/support/elf_builder.h"

namespace perfsift::test {

namespace {

// The slots are behind the end of the file, because they are never read. Relocations give their targets.
constexpr std::uint64_t slots = PltProgram::base + 0x3000;
constexpr std::uint64_t slot_of(std::size_t number) { return slots + 8 * number; }
constexpr std::size_t entries = 3;

bool has_header(const PltProgram& program) {
  return program.form == PltForm::lazy || (program.form == PltForm::protected_ && program.machine == EM_AARCH64);
}
std::size_t header_size(const PltProgram& program) {
  if (!has_header(program)) return 0;
  return program.machine == EM_AARCH64 ? 32 : 16;
}
std::size_t entry_size(const PltProgram& program) {
  return program.form == PltForm::now && program.machine == EM_X86_64 ? 8 : 16;
}

std::string section_name(const PltProgram& program) {
  if (program.form == PltForm::now) return ".plt.got";
  return has_header(program) ? ".plt" : ".plt.sec";
}

// See the x86-64 psABI, "Procedure Linkage Table" and "Intel CET Extension".
BytesBuilder x86_64_entry(PltForm form, std::size_t number, std::uint64_t address) {
  BytesBuilder entry;
  if (form == PltForm::protected_) entry.u8(0xf3).u8(0x0f).u8(0x1e).u8(0xfa).u8(0xf2);  // endbr64; bnd
  const std::uint64_t after_jump = address + entry.size() + 6;
  entry.u8(0xff).u8(0x25).u32(static_cast<std::uint32_t>(slot_of(number) - after_jump));  // jmp *slot(%rip)
  if (form == PltForm::lazy)
    entry.u8(0x68).u32(static_cast<std::uint32_t>(number)).u8(0xe9).u32(0);  // push number; jmp to the header
  return entry;
}

// See ELF for the Arm 64-bit Architecture, "Procedure Linkage Table".
BytesBuilder aarch64_entry(PltForm form, std::size_t number, std::uint64_t address) {
  constexpr std::uint32_t bti_c = 0xd503245f, adrp_x16 = 0x90000010, ldr_x17 = 0xf9400211, br_x17 = 0xd61f0220,
                          add_x16 = 0x91000210, nop = 0xd503201f;
  BytesBuilder entry;
  if (form == PltForm::protected_) entry.u32(bti_c);
  const std::uint64_t slot = slot_of(number);
  const auto pages = static_cast<std::uint32_t>((slot >> 12) - ((address + entry.size()) >> 12));
  const auto in_page = static_cast<std::uint32_t>(slot & 0xfff);
  entry.u32(adrp_x16 | (pages & 3) << 29 | (pages >> 2 & 0x7ffff) << 5).u32(ldr_x17 | in_page / 8 << 10);
  if (form != PltForm::protected_) entry.u32(add_x16 | in_page << 10);
  entry.u32(br_x17);
  while (entry.size() < 16) entry.u32(nop);
  return entry;
}

std::vector<std::byte> code_of(const PltProgram& program) {
  BytesBuilder code;
  code.zeros(header_size(program));
  for (std::size_t number = 0; number < entries; ++number) {
    BytesBuilder entry = program.machine == EM_AARCH64 ? aarch64_entry(program.form, number, program.entry(number))
                                                       : x86_64_entry(program.form, number, program.entry(number));
    code.bytes(entry.view()).zeros(entry_size(program) - entry.size());
  }
  return code.take();
}

constexpr std::uint32_t strings_number = 1, symbols_number = 2, text_number = 5;

const std::string_view names("\0first\0second\0picked\0", 21);

Elf64_Sym symbol_of(std::string_view name, unsigned char type, std::uint16_t section, std::uint64_t value) {
  return {.st_name = static_cast<Elf64_Word>(names.find(name)),
          .st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_GLOBAL, type)),
          .st_other = STV_DEFAULT,
          .st_shndx = section,
          .st_value = value,
          .st_size = section == SHN_UNDEF ? 0u : 16u};
}

std::vector<Elf64_Rela> relocations_of(const PltProgram& program) {
  const bool arm = program.machine == EM_AARCH64;
  const bool now = program.form == PltForm::now;
  const std::uint64_t of_symbol =
      arm ? (now ? R_AARCH64_GLOB_DAT : R_AARCH64_JUMP_SLOT) : (now ? R_X86_64_GLOB_DAT : R_X86_64_JUMP_SLOT);
  const std::uint64_t irelative = arm ? R_AARCH64_IRELATIVE : R_X86_64_IRELATIVE;
  return {
      {slot_of(0), ELF64_R_INFO(1, of_symbol), 0},
      {slot_of(1), ELF64_R_INFO(2, of_symbol), 0},
      {slot_of(2), ELF64_R_INFO(0, irelative), static_cast<Elf64_Sxword>(program.resolver.value_or(PltProgram::text))}};
}

}  // namespace

std::uint64_t PltProgram::entry(std::size_t number) const {
  return plt + header_size(*this) + number * entry_size(*this);
}

std::vector<std::byte> PltProgram::image() const {
  const Elf64_Sym symbols[] = {{},
                               symbol_of("first", STT_FUNC, SHN_UNDEF, 0),
                               symbol_of("second", STT_FUNC, SHN_UNDEF, 0),
                               symbol_of("picked", STT_GNU_IFUNC, text_number, text)};
  const auto relocations = relocations_of(*this);
  constexpr std::uint64_t code = SHF_ALLOC | SHF_EXECINSTR;

  // The sections have the same layout in the file and in memory.
  ElfBuilder builder(machine, type);
  builder.segment({.p_type = PT_LOAD,
                   .p_flags = PF_R | PF_X,
                   .p_offset = 0,
                   .p_vaddr = base,
                   .p_paddr = base,
                   .p_filesz = text + 16 - base,
                   .p_memsz = text + 16 - base,
                   .p_align = 0x1000});
  builder.section(".dynstr", std::as_bytes(std::span(names)),
                  {.type = SHT_STRTAB, .flags = SHF_ALLOC, .address = base + 0x80, .offset = 0x80});
  builder.section(".dynsym", std::as_bytes(std::span(symbols)),
                  {.type = SHT_DYNSYM,
                   .flags = SHF_ALLOC,
                   .address = base + 0xa0,
                   .offset = 0xa0,
                   .link = strings_number,
                   .entry_size = sizeof(Elf64_Sym)});
  builder.section(form == PltForm::now ? ".rela.dyn" : ".rela.plt", std::as_bytes(std::span(relocations)),
                  {.type = SHT_RELA,
                   .flags = SHF_ALLOC,
                   .address = base + 0x100,
                   .offset = 0x100,
                   .link = symbols_number,
                   .entry_size = sizeof(Elf64_Rela)});
  builder.section(section_name(*this), code_of(*this),
                  {.flags = code, .address = plt, .offset = plt - base, .entry_size = entry_size(*this)});
  builder.section(".text", BytesBuilder().zeros(16).view(), {.flags = code, .address = text, .offset = text - base});
  return builder.take();
}

}  // namespace perfsift::test
