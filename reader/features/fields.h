// The two shapes the feature sections are made of besides plain numbers.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::reader {

// perf_header_string: a length, then that many bytes, NUL-padded (do_write_string() in
// tools/perf/util/header.c).
inline std::string read_string(ByteReader& in) { return std::string(c_string(in.bytes(in.u32()))); }

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

inline std::vector<std::string> read_strings(ByteReader& in) { return read_list(in, in.u32(), read_string); }

}  // namespace perfsift::reader
