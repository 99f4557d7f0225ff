// The bytes of an input, however it comes: a file, standard input, gzip, zstd or xz around either.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "base/owned.h"
#include "reader/temporary_file.h"

namespace perfsift::reader {

// A file that is open for reading from its start, in whatever form.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Puts what is there into `out`, at least one byte, waiting for it; 0 at the end. Throws InputError when reading
  // fails.
  virtual std::size_t read(std::span<std::byte> out) = 0;
  // What is wrong with where the bytes came from, once all were read: a container that breaks off or is damaged.
  // Empty when nothing is.
  virtual std::string damage() const { return {}; }
};

// An input that was opened and looked at.
struct InputFile {
  std::string path;
  // Exactly one of the two: the mapped bytes of a regular, plain file, or a source to read them from (a pipe, a
  // socket, or what a decompressor makes of either).
  Mapped mapped;
  std::unique_ptr<ByteSource> source;
  std::vector<std::byte> peeked;      // what peek() has looked at in `source`; `source` gives it again
  std::int64_t modified_seconds = 0;  // of a regular file
};

// Opens `path` ("-": standard input). A .gz/.zst/.xz container is recognised by its magic, not its name. Throws
// InputError.
InputFile open_input(const std::string& path);

// What to say of an input without a single byte; "-" is standard input.
std::string nothing_in(const std::string& path);

// The first bytes of the input, up to `size` of them. They stay to be read.
Bytes peek(InputFile& input, std::size_t size);

// Fills `out` from `source`; fewer bytes only at the end.
std::size_t read_fully(ByteSource& source, std::span<std::byte> out);

// All that is left in `source`, in a temporary file.
Mapped read_all(ByteSource& source);

}  // namespace perfsift::reader
