#include "base/build_id.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <vector>

#include <elf.h>
#include <unistd.h>

#include "base/whole_file.h"

namespace perfsift {

namespace {

constexpr std::uint64_t most_notes = 1 << 20;  // bytes of one segment; linkers write hundreds
constexpr std::uint64_t most_headers = 1 << 16;

// Gives up to `size` bytes at `offset` of a file: fewer at its end. Valid until the next call.
using ReadAt = std::function<Bytes(std::uint64_t offset, std::uint64_t size)>;

struct ProgramHeaders {
  std::uint64_t offset = 0, entry_size = 0, count = 0;
};

ProgramHeaders read_elf_header(ByteReader in, bool wide) {
  ProgramHeaders headers;
  in.skip(EI_NIDENT + 8);  // e_type, e_machine, e_version
  in.skip(wide ? 8 : 4);   // e_entry
  headers.offset = wide ? in.u64() : in.u32();
  in.skip((wide ? 8 : 4) + 6);  // e_shoff, e_flags, e_ehsize
  headers.entry_size = in.u16();
  headers.count = in.u16();
  return in.ok() ? headers : ProgramHeaders{};
}

struct Segment {
  std::uint32_t type = 0;
  std::uint64_t offset = 0, size = 0;
};

Segment read_segment(ByteReader in, bool wide) {
  Segment segment{.type = in.u32()};
  if (wide) in.skip(4);  // p_flags
  segment.offset = wide ? in.u64() : in.u32();
  in.skip(wide ? 16 : 8);  // p_vaddr, p_paddr
  segment.size = wide ? in.u64() : in.u32();
  return in.ok() ? segment : Segment{};
}

std::vector<Segment> note_segments(const ReadAt& read_at) {
  const Bytes head = read_at(0, sizeof(Elf64_Ehdr));
  constexpr unsigned char order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (!starts_with(head, {0x7f, 'E', 'L', 'F'}) || head.size() < EI_NIDENT) return {};
  if (head[EI_DATA] != std::byte{order}) return {};
  const bool wide = head[EI_CLASS] == std::byte{ELFCLASS64};
  const auto headers = read_elf_header(ByteReader(head), wide);

  ByteReader table(read_at(headers.offset, std::min(headers.entry_size * headers.count, most_headers)));
  std::vector<Segment> notes;
  while (headers.entry_size != 0 && table.remaining() >= headers.entry_size) {
    const auto segment = read_segment(ByteReader(table.bytes(headers.entry_size)), wide);
    if (segment.type == PT_NOTE) notes.push_back(segment);
  }
  return notes;
}

BuildId find_build_id(const ReadAt& read_at) {
  for (const Segment& segment : note_segments(read_at)) {
    const BuildId id = build_id_of_notes(read_at(segment.offset, std::min(segment.size, most_notes)));
    if (!id.empty()) return id;
  }
  return {};
}

}  // namespace

BuildId build_id_of_notes(Bytes notes) {
  constexpr auto padded = [](std::uint32_t size) { return (std::uint64_t{size} + 3) / 4 * 4; };
  ByteReader in(notes);
  while (in.remaining() >= sizeof(Elf64_Nhdr)) {
    const std::uint32_t name_size = in.u32();
    const std::uint32_t content_size = in.u32();
    const std::uint32_t type = in.u32();
    const std::string_view name = c_string(in.bytes(padded(name_size)));
    const Bytes content = in.bytes(padded(content_size));
    if (!in.ok()) break;
    if (type == NT_GNU_BUILD_ID && name == ELF_NOTE_GNU) return BuildId(content.first(content_size));
  }
  return {};
}

BuildId build_id_of_notes_file(const std::string& path) {
  const auto notes = read_whole_file(path);
  return notes ? build_id_of_notes(std::as_bytes(std::span(*notes))) : BuildId{};
}

BuildId build_id_of_elf(int fd) {
  std::vector<std::byte> buffer;
  return find_build_id([&](std::uint64_t offset, std::uint64_t size) -> Bytes {
    buffer.resize(static_cast<std::size_t>(size));
    const ssize_t got = pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(offset));
    return Bytes(buffer).first(got > 0 ? static_cast<std::size_t>(got) : 0);
  });
}

BuildId build_id_of_elf(Bytes image) {
  return find_build_id([&](std::uint64_t offset, std::uint64_t size) -> Bytes {
    const Bytes rest = image.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(offset, image.size())));
    return rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(size, rest.size())));
  });
}

}  // namespace perfsift
