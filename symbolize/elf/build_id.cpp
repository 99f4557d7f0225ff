#include "symbolize/elf/build_id.h"

#include <algorithm>

#include <elf.h>

#include "symbolize/files/whole_file.h"

namespace perfsift::symbolize {

bool same_build(const BuildId& recorded, const BuildId& found) {
  if (found.empty() || found.size > recorded.size) return false;
  const auto tail = std::span(recorded.bytes).first(recorded.size).subspan(found.size);
  return std::equal(found.bytes.begin(), found.bytes.begin() + found.size, recorded.bytes.begin()) &&
         std::ranges::all_of(tail, [](std::byte b) { return b == std::byte{0}; });
}

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

}  // namespace perfsift::symbolize
