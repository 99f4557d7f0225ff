#include "symbolize/elf/elf_symbol_reader.h"

#include <algorithm>
#include <limits>

namespace perfsift::symbolize {

using Section = ElfFile::Section;

ElfSymbolReader::ElfSymbolReader(const ElfFile& file, const Section& table) : file_(file), symbols_(file.data(table)) {
  if (symbols_ == nullptr || table.header.sh_link >= file.sections().size()) return;
  strings_ = file.bytes(file.sections()[table.header.sh_link]);
  if (const Section* numbers = file.section(SHT_SYMTAB_SHNDX); numbers != nullptr && table.header.sh_type == SHT_SYMTAB)
    large_numbers_ = file.data(*numbers);
  const bool class32 = file.header().e_ident[EI_CLASS] == ELFCLASS32;
  const std::size_t fit = symbols_->d_size / (class32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym));
  count_ = std::min<std::size_t>(fit, std::numeric_limits<int>::max());
}

std::optional<ElfSymbol> ElfSymbolReader::at(std::size_t number) const {
  ElfSymbol symbol;
  Elf32_Word large_number = 0;
  if (number >= count_) return std::nullopt;
  if (gelf_getsymshndx(symbols_, large_numbers_, static_cast<int>(number), &symbol.fields, &large_number) == nullptr)
    return std::nullopt;
  symbol.section = section_of(symbol.fields, large_number);
  if (symbol.section != nullptr && file_.is_relocatable()) symbol.fields.st_value += symbol.section->header.sh_addr;
  if (symbol.fields.st_name < strings_.size()) symbol.name = c_string(strings_.subspan(symbol.fields.st_name));
  return symbol;
}

const Section* ElfSymbolReader::section_of(const GElf_Sym& symbol, std::uint32_t large_number) const {
  std::size_t number = symbol.st_shndx;
  if (number == SHN_XINDEX)
    number = large_number;
  else if (number >= SHN_LORESERVE)
    return nullptr;
  return number != SHN_UNDEF && number < file_.sections().size() ? &file_.sections()[number] : nullptr;
}

}  // namespace perfsift::symbolize
