// Strings of the feature sections.
#pragma once

#include <string>
#include <vector>

#include "reader/format/counted_list.h"

namespace perfsift::reader {

// perf_header_string: a length, then as many bytes, padded with NULs (do_write_string() in tools/perf/util/header.c).
inline std::string read_string(ByteReader& in) { return std::string(c_string(in.bytes(in.u32()))); }

inline std::vector<std::string> read_strings(ByteReader& in) { return read_list(in, in.u32(), read_string); }

}  // namespace perfsift::reader
