// Unpacking of what distributions pack: kernel modules (.ko.xz, .ko.gz, .ko.zst) and .gnu_debugdata (xz).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::symbolize {

// Whether bytes begin as one of the three formats does (6 bytes decide).
bool is_packed(Bytes bytes);

// The content of `packed`, in any of the three formats; nothing if it has another format, is damaged, or unpacks to
// more than max_unpacked_size.
std::optional<std::vector<std::byte>> unpack(Bytes packed);

// The largest modules with debug information take some 100 MB. A few hostile bytes can claim any size.
inline constexpr std::size_t max_unpacked_size = std::size_t{512} << 20;

}  // namespace perfsift::symbolize
