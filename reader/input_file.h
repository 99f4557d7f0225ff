// The bytes of an input in any container: a file or standard input, plain or compressed by gzip, zstd or xz, and the
// recording in a packed one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "base/owned.h"
#include "base/packed_files.h"
#include "reader/temporary_file.h"

namespace perfsift::reader {

// The bytes of an open input from the start, independent of the container.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Waits for at least one byte, and stores what is there in `out`; 0 at the end. Throws InputError when reading fails.
  virtual std::size_t read(std::span<std::byte> out) = 0;
  // The fault of the container, which is cut off or damaged; empty without a fault. Valid after all bytes were read.
  virtual std::string damage() const { return {}; }
};

// An input that was opened and examined.
struct InputFile {
  std::string path;
  // One of the two is set: the mapped bytes of a regular, plain file, or a source to read from (a pipe, a socket, or
  // the output of a decompressor).
  Mapped mapped;
  std::unique_ptr<ByteSource> source;
  std::vector<std::byte> peeked;      // what peek() has read from `source`; `source` returns these bytes again
  std::int64_t modified_seconds = 0;  // since 1970; of a regular file
  // Of a packed recording: the files that came with it, and the other files of a folder of `perf record --threads`.
  std::shared_ptr<const PackedFiles> packed;
  std::vector<InputFile> further;
};

// Opens `path` ("-": standard input). The magic of a .gz/.zst/.xz container decides, not the file name, and so does the
// manifest of a packed recording. Throws InputError.
InputFile open_input(const std::string& path);

// The message for an input without a single byte; "-" is standard input.
std::string nothing_in(const std::string& path);

// The first bytes of the input, at most `size`. Later reads return these bytes again.
Bytes peek(InputFile& input, std::size_t size);

// Fills `out` from `source`; fewer bytes only at the end of the input.
std::size_t read_fully(ByteSource& source, std::span<std::byte> out);

// The rest of `source`: a few megabytes in memory, more in a temporary file.
Mapped read_all(ByteSource& source);

}  // namespace perfsift::reader
