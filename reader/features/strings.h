// Strings as the feature sections hold them.
#pragma once

#include <string>
#include <vector>

#include "reader/lists.h"

namespace perfsift::reader {

// perf_header_string: a length, then that many bytes, NUL-padded (do_write_string() in
// tools/perf/util/header.c).
inline std::string read_string(ByteReader& in) { return std::string(c_string(in.bytes(in.u32()))); }

inline std::vector<std::string> read_strings(ByteReader& in) { return read_list(in, in.u32(), read_string); }

}  // namespace perfsift::reader
