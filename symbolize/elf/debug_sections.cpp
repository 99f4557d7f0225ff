#include "symbolize/elf/debug_sections.h"

#include <algorithm>
#include <limits>
#include <string>

#include <zlib.h>
#include <zstd.h>

#include "symbolize/elf/relocation.h"

namespace perfsift::symbolize {

namespace {

constexpr std::uint32_t zstd_type = 2;  // ELFCOMPRESS_ZSTD, which older <elf.h> do not have

// DEFLATE packs at most 1,032 bytes into one, and debug information much less. A header that claims more is wrong.
bool is_plausible(std::uint64_t size, std::uint64_t packed) {
  constexpr std::uint64_t best_ratio = 1032, slack = 4096;
  return size <= slack + packed * best_ratio && size <= std::numeric_limits<std::uint32_t>::max();
}

bool inflate_exactly(Bytes packed, std::byte* to, std::uint64_t size) {
  uLongf written = size;
  const auto* from = reinterpret_cast<const Bytef*>(packed.data());
  return uncompress(reinterpret_cast<Bytef*>(to), &written, from, packed.size()) == Z_OK && written == size;
}

bool unpack_zstd_exactly(Bytes packed, std::byte* to, std::uint64_t size) {
  return ZSTD_decompress(to, size, packed.data(), packed.size()) == size;
}

// ".debug_info" as it was called when GNU tools first compressed it.
std::string old_compressed_name(const std::string& name) { return ".z" + name.substr(1); }

}  // namespace

DebugSectionFile::DebugSectionFile(std::shared_ptr<ElfFile> file, SectionKind kind) : file_(std::move(file)) {
  sections_.order = file_->byte_order();
  // Split units (.dwo) are relocatable by their header alone: they have no relocations.
  relocatable_ = kind == SectionKind::usual && file_->is_relocatable();
  if (relocatable_ && !can_relocate(*file_)) return;
  const std::string suffix = kind == SectionKind::split ? ".dwo" : "";
  sections_.info = load(".debug_info" + suffix);
  sections_.abbrev = load(".debug_abbrev" + suffix);
  sections_.str = load(".debug_str" + suffix);
  sections_.line_str = load(".debug_line_str" + suffix);
  sections_.str_offsets = load(".debug_str_offsets" + suffix);
  sections_.rnglists = load(".debug_rnglists" + suffix);
  sections_.line = load(".debug_line" + suffix);
  if (kind == SectionKind::split) {
    sections_.cu_index = load(".debug_cu_index");
  } else {
    sections_.addr = load(".debug_addr");
    sections_.ranges = load(".debug_ranges");
  }
}

Bytes DebugSectionFile::load(const std::string& name) {
  if (const auto* section = find(name)) return relocated(*section, contents(*section));
  if (const auto* section = find(old_compressed_name(name)))
    return relocated(*section, old_compressed_contents(*section));
  return {};
}

// Object files have a .debug_info for each type (-fdebug-types-section), in a group of its own, so that a linker may
// keep one of equal sections. The .debug_info of the code is in no group.
const ElfFile::Section* DebugSectionFile::find(const std::string& name) const {
  if (!relocatable_) return file_->section(name);
  const auto found = std::ranges::find_if(file_->sections(), [&](const ElfFile::Section& section) {
    return section.name == name && (section.header.sh_flags & SHF_GROUP) == 0;
  });
  return found == file_->sections().end() ? nullptr : &*found;
}

Bytes DebugSectionFile::contents(const ElfFile::Section& section) {
  const Bytes bytes = file_->bytes(section);
  if ((section.header.sh_flags & SHF_COMPRESSED) == 0) return bytes;
  GElf_Chdr header;
  if (gelf_getchdr(section.handle, &header) == nullptr) return {};
  const bool class32 = file_->header().e_ident[EI_CLASS] == ELFCLASS32;
  const std::size_t header_size = class32 ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
  return bytes.size() < header_size ? Bytes{} : unpacked(bytes.subspan(header_size), header.ch_size, header.ch_type);
}

Bytes DebugSectionFile::old_compressed_contents(const ElfFile::Section& section) {
  const bool is_little_machine = std::endian::native == std::endian::little;
  ByteReader in(file_->bytes(section), is_little_machine ? ByteOrder::swapped : ByteOrder::native);
  const Bytes magic = in.bytes(4);
  const std::uint64_t size = in.u64();
  return in.ok() && c_string(magic) == "ZLIB" ? unpacked(in.rest(), size, ELFCOMPRESS_ZLIB) : Bytes{};
}

Bytes DebugSectionFile::relocated(const ElfFile::Section& section, Bytes contents) {
  if (!relocatable_ || !has_relocations(*file_, section)) return contents;
  Buffer copy = std::make_unique_for_overwrite<std::byte[]>(contents.size());
  const std::span bytes(copy.get(), contents.size());
  std::ranges::copy(contents, bytes.begin());
  relocate(*file_, section, bytes);
  buffers_.push_back(std::move(copy));
  return bytes;
}

Bytes DebugSectionFile::unpacked(Bytes packed, std::uint64_t size, std::uint32_t type) {
  if (!is_plausible(size, packed.size())) return {};
  Buffer buffer = std::make_unique_for_overwrite<std::byte[]>(size);
  const bool whole = type == ELFCOMPRESS_ZLIB ? inflate_exactly(packed, buffer.get(), size)
                     : type == zstd_type      ? unpack_zstd_exactly(packed, buffer.get(), size)
                                              : false;
  if (!whole) return {};
  buffers_.push_back(std::move(buffer));
  return {buffers_.back().get(), static_cast<std::size_t>(size)};
}

bool has_debug_info(const ElfFile& file) {
  for (const char* name : {".debug_info", ".zdebug_info"}) {
    const auto* section = file.section(name);
    if (section != nullptr && section->header.sh_type != SHT_NOBITS && section->header.sh_size != 0) return true;
  }
  return false;
}

}  // namespace perfsift::symbolize
