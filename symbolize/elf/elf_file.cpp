#include "symbolize/elf/elf_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <unistd.h>

#include "symbolize/elf/compression.h"
#include "symbolize/files/whole_file.h"

namespace perfsift::symbolize {

namespace {

bool usable(Elf* elf) {
  GElf_Ehdr header;
  return elf != nullptr && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) != nullptr;
}

}  // namespace

std::shared_ptr<ElfFile> ElfFile::open(const std::string& path, Missing& why) {
  const FileDescriptor file = open_regular_file(path, why);
  if (!file) return nullptr;

  elf_version(EV_CURRENT);
  if (Handle elf(elf_begin(file.get(), ELF_C_READ_MMAP, nullptr)); usable(elf.get())) {
    elf_cntl(elf.get(), ELF_C_FDDONE);  // all is read from the mapping; the descriptor may be closed
    std::shared_ptr<ElfFile> opened(new ElfFile(std::move(elf), path));
    opened->stamp_ = stamp_of(file);
    return opened;
  }

  std::array<char, 6> magic = {};
  if (pread(file.get(), magic.data(), magic.size(), 0) <= 0) {
    why = Missing::file_unreadable;
    return nullptr;
  }
  why = Missing::not_elf;
  if (!is_packed(std::as_bytes(std::span(magic)))) return nullptr;
  const auto packed = read_whole_file(path, why);
  if (!packed) return nullptr;
  auto image = unpack(std::as_bytes(std::span(*packed)));
  return image ? from_memory(std::move(*image), path) : nullptr;
}

std::shared_ptr<ElfFile> ElfFile::from_memory(std::vector<std::byte> image, std::string path) {
  elf_version(EV_CURRENT);
  Handle elf(elf_memory(reinterpret_cast<char*>(image.data()), image.size()));
  if (!usable(elf.get())) return nullptr;
  std::shared_ptr<ElfFile> file(new ElfFile(std::move(elf), std::move(path)));
  file->image_ = std::move(image);
  return file;
}

// libelf only reads what it is given by elf_memory(), as long as nothing is changed through its handles.
std::shared_ptr<ElfFile> ElfFile::from_packed(const PackedFile& packed_file,
                                              const std::shared_ptr<const PackedFiles>& packed) {
  elf_version(EV_CURRENT);
  auto* const image = const_cast<char*>(reinterpret_cast<const char*>(packed_file.bytes.data()));
  Handle elf(elf_memory(image, packed_file.bytes.size()));
  if (!usable(elf.get())) return nullptr;
  std::shared_ptr<ElfFile> file(new ElfFile(std::move(elf), packed_file.path));
  file->packed_ = packed;
  file->packed_file_ = &packed_file;
  return file;
}

std::shared_ptr<ElfFile> ElfFile::open_again() const {
  Missing ignored{};
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): the analyzer loses sight of the shared_ptr in open()
  return packed_file_ != nullptr ? from_packed(*packed_file_, packed_) : open(path_, ignored);
}

ElfFile::ElfFile(Handle elf, std::string path) : elf_(std::move(elf)), path_(std::move(path)) {
  gelf_getehdr(elf_.get(), &header_);
  read_sections();
  read_segments();
}

ElfFile::~ElfFile() = default;

void ElfFile::read_sections() {
  std::size_t names = 0;
  const bool named = elf_getshdrstrndx(elf_.get(), &names) == 0;
  sections_.emplace_back();
  Elf_Scn* handle = nullptr;
  while ((handle = elf_nextscn(elf_.get(), handle)) != nullptr) {
    Section section{.handle = handle};
    if (gelf_getshdr(handle, &section.header) == nullptr) section.header = {};
    sections_.push_back(section);
  }
  if (!named) return;
  for (Section& section : sections_) section.name = string(names, section.header.sh_name);
  if (is_relocatable()) lay_out_code();
}

bool is_initialisation(const ElfFile::Section& section) { return section.name.starts_with(".init"); }

// The kernel's layout of a module's code in memory: the executable sections, in the order of the file. Sections of the
// initialisation lie elsewhere (layout_sections() in kernel/module/main.c); here they come last. The only section of
// code of an object file is at 0, as for nearly all tools.
void ElfFile::lay_out_code() {
  std::uint64_t end = 0;
  for (const bool initialisation : {false, true}) {
    for (Section& section : sections_) {
      if (!holds_code(section) || is_initialisation(section) != initialisation) continue;
      const std::uint64_t alignment = std::max<std::uint64_t>(section.header.sh_addralign, 1);
      section.header.sh_addr = (end + alignment - 1) / alignment * alignment;
      end = section.header.sh_addr + section.header.sh_size;
    }
  }
}

void ElfFile::read_segments() {
  std::size_t count = 0;
  if (elf_getphdrnum(elf_.get(), &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf_.get(), static_cast<int>(i), &segment) == nullptr) return;
    segments_.push_back(segment);
  }
}

const ElfFile::Section* ElfFile::section(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? nullptr : &*found;
}

const ElfFile::Section* ElfFile::section(std::uint32_t type) const {
  const auto found = std::ranges::find(sections_, type, [](const Section& s) { return s.header.sh_type; });
  return found == sections_.end() ? nullptr : &*found;
}

Elf_Data* ElfFile::data(const Section& section) const {
  if (section.handle == nullptr || section.header.sh_type == SHT_NOBITS) return nullptr;
  Elf_Data* data = elf_getdata(section.handle, nullptr);
  return data != nullptr && data->d_buf != nullptr ? data : nullptr;
}

Bytes ElfFile::bytes(const Section& section) const {
  const Elf_Data* found = data(section);
  return found == nullptr ? Bytes{} : Bytes(static_cast<const std::byte*>(found->d_buf), found->d_size);
}

std::string_view ElfFile::string(std::size_t section, std::uint64_t offset) const {
  if (section >= sections_.size()) return {};
  const Bytes table = bytes(sections_[section]);
  return offset < table.size() ? c_string(table.subspan(offset)) : std::string_view{};
}

BuildId ElfFile::build_id() const {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf_.get(), &bytes);
  if (size <= 0) return {};
  return BuildId(Bytes(static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)));
}

std::optional<DebugLink> ElfFile::debug_link() const {
  GElf_Word crc = 0;
  const char* name = dwelf_elf_gnu_debuglink(elf_.get(), &crc);
  if (name == nullptr || *name == '\0') return std::nullopt;
  return DebugLink{name, crc};
}

bool ElfFile::has_contents() const {
  if (sections_.size() == 1) return std::ranges::find(segments_, PT_LOAD, &GElf_Phdr::p_type) != segments_.end();
  return std::ranges::any_of(sections_, [](const Section& section) {
    return (section.header.sh_flags & SHF_ALLOC) != 0 && section.header.sh_type == SHT_PROGBITS;
  });
}

ByteOrder ElfFile::byte_order() const {
  const bool is_little = header_.e_ident[EI_DATA] != ELFDATA2MSB;
  return is_little == (std::endian::native == std::endian::little) ? ByteOrder::native : ByteOrder::swapped;
}

Bytes ElfFile::image() const {
  std::size_t size = 0;
  const char* start = elf_rawfile(elf_.get(), &size);
  return start == nullptr ? Bytes{} : std::as_bytes(std::span(start, size));
}

// The first segment that holds the address, as elf_read_program_header() in perf's symbol-elf.c.
std::optional<std::uint64_t> ElfFile::file_offset(std::uint64_t address) const {
  for (const GElf_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t size = std::max(segment.p_memsz, segment.p_filesz);
    if (address >= segment.p_vaddr && address - segment.p_vaddr < size)
      return address - segment.p_vaddr + segment.p_offset;
  }
  return std::nullopt;
}

// Pages at the border of two segments are in both; code is in the executable segment.
std::optional<std::uint64_t> ElfFile::address(std::uint64_t file_offset) const {
  std::optional<std::uint64_t> found;
  for (const GElf_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD) continue;
    if (file_offset < segment.p_offset || file_offset - segment.p_offset >= segment.p_filesz) continue;
    const std::uint64_t address = file_offset - segment.p_offset + segment.p_vaddr;
    if ((segment.p_flags & PF_X) != 0) return address;
    if (!found) found = address;
  }
  return found;
}

// Contents first: the offset of a variable without contents may be that of a later segment's contents.
std::optional<std::uint64_t> ElfFile::data_address(std::uint64_t file_offset) const {
  for (const auto size : {&GElf_Phdr::p_filesz, &GElf_Phdr::p_memsz}) {
    for (const GElf_Phdr& segment : segments_) {
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) != 0 || file_offset < segment.p_offset) continue;
      const std::uint64_t in_segment = file_offset - segment.p_offset;
      if (in_segment < segment.*size) return segment.p_vaddr + in_segment;
    }
  }
  return address(file_offset);
}

}  // namespace perfsift::symbolize
