// The symbols of an ELF file as they are listed, each with its section.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "symbolize/elf/elf_file.h"

namespace perfsift::symbolize {

struct ElfSymbol {
  GElf_Sym fields = {};  // in a relocatable file, too, st_value is an address (see ElfFile::Section)
  const ElfFile::Section* section = nullptr;  // nullptr: undefined, absolute, or of no section that is there
  std::string_view name;
};

// Not thread-safe. Must not outlive the file.
class ElfSymbolReader {
 public:
  // `table`: of type SHT_SYMTAB or SHT_DYNSYM.
  ElfSymbolReader(const ElfFile& file, const ElfFile::Section& table);

  std::size_t count() const { return count_; }
  // Nothing if there is no symbol of that number.
  std::optional<ElfSymbol> at(std::size_t number) const;

 private:
  const ElfFile::Section* section_of(const GElf_Sym& symbol, std::uint32_t large_number) const;

  const ElfFile& file_;
  Elf_Data* symbols_ = nullptr;
  Elf_Data* large_numbers_ = nullptr;  // of sections, where they do not fit st_shndx; nullptr: they all do
  Bytes strings_;
  std::size_t count_ = 0;
};

}  // namespace perfsift::symbolize
