// The kind of an input, recognized by its first bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_reader.h"

namespace perfsift::analysis {

enum class InputKind : std::uint8_t {
  recording,   // perf.data of either byte order, or a directory of `perf record --threads`
  compressed,  // gzip, zstd, xz, or a packed recording: open_input() gives the contents, of most likely a recording
  perf_script_text,  // output of `perf script`
  folded_text,       // "frame;frame COUNT" lines
  pprof,             // a profile of pprof, unpacked
  store,             // many recordings, in a store: known by its address, which is no path
  unknown,           // none of these, or empty
};

// How many bytes input_kind() needs to distinguish kinds of text: pass this many bytes, or the whole input if shorter.
inline constexpr std::size_t input_kind_bytes = 64 * 1024;

InputKind input_kind(Bytes first);

// For an input of unknown kind: what it seems to be, and what to do. A message puts this text behind the input's name.
std::string_view why_unusable(Bytes first);

// The name for messages: "text", "a pprof profile", "a recording", "a store".
std::string_view kind_name(InputKind kind);

// The kind of a file or directory. `unknown`, without reading, for inputs that can be read only once (a pipe, a
// terminal): for these call input_kind() with the first bytes read. Throws InputError when the file does not exist or
// cannot be read.
InputKind input_kind_of(const std::string& path);

}  // namespace perfsift::analysis
