// Counted lists in bytes we did not write.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::reader {

// `count` elements, or fewer when the bytes end first: every element takes some, so a count that is a lie
// costs no more than the bytes there are.
template <typename Read>
auto read_list(ByteReader& in, std::uint64_t count, Read read) {
  std::vector<std::invoke_result_t<Read, ByteReader&>> list;
  for (; count != 0; --count) {
    auto element = read(in);
    if (!in.ok()) break;
    list.push_back(std::move(element));
  }
  return list;
}

inline std::vector<std::uint64_t> read_u64s(ByteReader& in, std::uint64_t count) {
  return read_list(in, count, [](ByteReader& word) { return word.u64(); });
}

}  // namespace perfsift::reader
