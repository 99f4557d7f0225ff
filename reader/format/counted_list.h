// Lists with a count in front, in bytes of unknown origin.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::reader {

// Reads `count` elements, or fewer when the bytes end first. Every element takes some bytes, so a wrong count costs no
// more than the bytes that are there.
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
