// The header of a member of a tar archive, in the form of POSIX.1-1988 (ustar): 512 bytes in front of the contents.
//
// Only regular files with names of at most 255 bytes and less than 8 GiB are written and read: a packed recording needs
// nothing else, and what is not read cannot be abused.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/byte_reader.h"

namespace perfsift::reader {

inline constexpr std::size_t tar_block = 512;
// Two empty blocks end an archive.
inline constexpr std::size_t tar_end_size = 2 * tar_block;
inline constexpr std::uint64_t largest_tar_member = (std::uint64_t{1} << 33) - 1;

// The bytes that contents of a size take, with the zeros behind them.
constexpr std::uint64_t padded_to_tar_block(std::uint64_t size) {
  return (size + tar_block - 1) / tar_block * tar_block;
}

struct TarMember {
  std::string name;
  std::uint64_t size = 0;
  std::int64_t modified_seconds = 0;  // since 1970
};

using TarHeader = std::array<std::byte, tar_block>;

// Nothing if the name or the size does not fit.
std::optional<TarHeader> encode_tar_header(const TarMember& member);

// A header as it was read, which may be hostile.
struct ReadTarHeader {
  std::optional<TarMember> member;  // nothing: see `why`
  std::string why;                  // the reason for the user
};
ReadTarHeader parse_tar_header(Bytes header);

// Whether an input begins with the header of a regular file of this name.
bool begins_with_tar_member(Bytes first, std::string_view name);

}  // namespace perfsift::reader
