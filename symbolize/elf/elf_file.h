// An ELF file, opened and mapped: its sections, build id and segments.
//
// libelf reads the format. libelf checks most of its results, but not all: so every pointer is checked here, and the
// end of every string is looked for within its section.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gelf.h>

#include "base/binary.h"
#include "base/byte_reader.h"
#include "base/owned.h"
#include "base/packed_files.h"
#include "symbolize/files/file_stamp.h"
#include "symbolize/files/missing.h"

namespace perfsift::symbolize {

struct DebugLink {
  std::string name;
  std::uint32_t crc = 0;  // of the whole debug file
};

// Not thread-safe (libelf loads parts on first use). Strings and bytes live as long as the object.
class ElfFile {
 public:
  struct Section {
    Elf_Scn* handle = nullptr;  // nullptr for the section 0, which is none
    // The header in the file. But sections of code in a relocatable file, which have no addresses yet, have the
    // addresses that lay_out_code() gives them.
    GElf_Shdr header = {};
    std::string_view name;
  };

  // nullptr if the file is no usable ELF file; `why` then has the reason. A packed file (.ko.xz) is unpacked.
  static std::shared_ptr<ElfFile> open(const std::string& path, Missing& why);
  static std::shared_ptr<ElfFile> from_memory(std::vector<std::byte> image, std::string path);
  // A file that came with a packed recording; nullptr if it is no usable ELF file.
  static std::shared_ptr<ElfFile> from_packed(const PackedFile& file, const std::shared_ptr<const PackedFiles>& packed);
  // The file once more, for another thread; nullptr if it cannot be opened any more. Thread-safe.
  std::shared_ptr<ElfFile> open_again() const;

  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile();

  const std::string& path() const { return path_; }
  // The packed recording that the file came with; nullptr for files of this machine.
  const std::shared_ptr<const PackedFiles>& packed() const { return packed_; }
  // The stamp of the file when it was opened. Nothing for an unpacked file, and for an image in memory.
  const std::optional<FileStamp>& stamp() const { return stamp_; }
  const GElf_Ehdr& header() const { return header_; }
  ByteOrder byte_order() const;  // of its contents; what libelf hands out in structs is in this machine's
  const std::vector<Section>& sections() const { return sections_; }  // by their number in the file
  const Section* section(std::string_view name) const;
  const Section* section(std::uint32_t type) const;  // the first one of an SHT_… type
  Elf_Data* data(const Section& section) const;      // nullptr when there is none
  Bytes bytes(const Section& section) const;
  // The string at `offset` of a string table; empty if the offset is outside.
  std::string_view string(std::size_t section, std::uint64_t offset) const;

  BuildId build_id() const;
  std::optional<DebugLink> debug_link() const;
  // Whether the file holds the mapped contents. A .debug file has the headers of those sections without the contents,
  // and its segments do not say where the contents were.
  bool has_contents() const;
  // Whether the file is the output of a compiler (.o), a kernel module (.ko), or the debug file of one.
  bool is_relocatable() const { return header_.e_type == ET_REL; }
  bool has_symtab() const { return section(SHT_SYMTAB) != nullptr; }

  const std::vector<GElf_Phdr>& segments() const { return segments_; }  // of all types
  Bytes image() const;                                                  // the whole file

  // Converts a virtual address to the offset in the file, by the segment with the address.
  std::optional<std::uint64_t> file_offset(std::uint64_t address) const;
  // Converts an offset in the file to the virtual address, for offsets that are mapped with contents. Thread-safe.
  std::optional<std::uint64_t> address(std::uint64_t file_offset) const;
  // address() for data, also for variables without an initial value: their offsets are behind the contents of their
  // segment. Thread-safe.
  std::optional<std::uint64_t> data_address(std::uint64_t file_offset) const;

 private:
  using Handle = Owned<Elf, elf_end>;

  ElfFile(Handle elf, std::string path);
  void read_sections();
  void lay_out_code();
  void read_segments();

  std::vector<std::byte> image_;  // of an unpacked file
  std::shared_ptr<const PackedFiles> packed_;
  const PackedFile* packed_file_ = nullptr;  // in packed_
  Handle elf_;
  std::string path_;
  std::optional<FileStamp> stamp_;
  GElf_Ehdr header_ = {};
  std::vector<Section> sections_;
  std::vector<GElf_Phdr> segments_;
};

// Whether the section is code, and is loaded.
constexpr bool holds_code(const ElfFile::Section& section) {
  constexpr std::uint64_t code = SHF_ALLOC | SHF_EXECINSTR;
  return (section.header.sh_flags & code) == code;
}
// Whether a section of a kernel module is freed once the module runs.
bool is_initialisation(const ElfFile::Section& section);

}  // namespace perfsift::symbolize
