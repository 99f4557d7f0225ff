// What an input is, told from its first bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/byte_reader.h"

namespace perfsift::analysis {

enum class InputKind : std::uint8_t {
  recording,         // perf.data of either byte order, or a directory of `perf record --threads`
  compressed,        // gzip, zstd or xz: most likely a recording; ask again with what is inside
  perf_script_text,  // what `perf script` prints
  folded_text,       // "frame;frame COUNT" lines
  unknown,           // none of these, or nothing at all
};

// How many bytes are enough to tell text from text: give these, or all there are.
inline constexpr std::size_t input_kind_bytes = 64 * 1024;

InputKind input_kind(Bytes first);

// Of a file or directory. `unknown`, without reading, for what gives its bytes only once (a pipe, a
// terminal): there, ask input_kind() about the first bytes read. Throws InputError when the file is
// not there or cannot be read.
InputKind input_kind_of(const std::string& path);

}  // namespace perfsift::analysis
