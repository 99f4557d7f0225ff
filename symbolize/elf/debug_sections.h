// The DWARF sections of an ELF file: unpacked if they are compressed, relocated if no linker has done so.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/byte_reader.h"
#include "symbolize/elf/elf_file.h"

namespace perfsift::symbolize {

// A missing section is empty.
struct DebugSections {
  ByteOrder order = ByteOrder::native;
  Bytes info, abbrev, str, line_str, str_offsets, addr, ranges, rnglists, line;
  Bytes cu_index;  // of a package (.dwp) only
};

// The kind of sections: the usual ones, or the sections of split DWARF (.debug_info.dwo).
enum class SectionKind : std::uint8_t { usual, split };

// The debug sections of one file, and the memory of those that are unpacked. Immutable.
class DebugSectionFile {
 public:
  DebugSectionFile(std::shared_ptr<ElfFile> file, SectionKind kind);

  const DebugSections& sections() const { return sections_; }
  const ElfFile& elf() const { return *file_; }

 private:
  using Buffer = std::unique_ptr<std::byte[]>;

  Bytes load(const std::string& name);
  const ElfFile::Section* find(const std::string& name) const;
  Bytes contents(const ElfFile::Section& section);
  Bytes old_compressed_contents(const ElfFile::Section& section);
  Bytes relocated(const ElfFile::Section& section, Bytes contents);
  Bytes unpacked(Bytes packed, std::uint64_t size, std::uint32_t type);

  std::shared_ptr<ElfFile> file_;
  bool relocatable_ = false;
  std::vector<Buffer> buffers_;
  DebugSections sections_;
};

// Whether a file has .debug_info, compressed or not.
bool has_debug_info(const ElfFile& file);

}  // namespace perfsift::symbolize
