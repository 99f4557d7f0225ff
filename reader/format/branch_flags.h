// The flags of a branch are bitfields, which a big-endian compiler lays out from the other end (struct
// perf_branch_entry in include/uapi/linux/perf_event.h).
#pragma once

#include <cstdint>

namespace perfsift::reader {

// The bits of each field, in the order of the struct.
inline constexpr unsigned branch_flag_widths[] = {1, 1, 1, 1, 16, 4, 2, 4, 3};

constexpr std::uint64_t branch_flag_mask(unsigned width) { return (std::uint64_t{1} << width) - 1; }

// The flags of a big-endian writer in the layout of a little-endian writer.
constexpr std::uint64_t little_endian_branch_flags(std::uint64_t big) {
  std::uint64_t little = 0;
  unsigned shift = 0;
  for (const unsigned width : branch_flag_widths) {
    little |= ((big >> (64 - shift - width)) & branch_flag_mask(width)) << shift;
    shift += width;
  }
  return little;
}

// The other way round.
constexpr std::uint64_t big_endian_branch_flags(std::uint64_t little) {
  std::uint64_t big = 0;
  unsigned shift = 0;
  for (const unsigned width : branch_flag_widths) {
    big |= ((little >> shift) & branch_flag_mask(width)) << (64 - shift - width);
    shift += width;
  }
  return big;
}

}  // namespace perfsift::reader
