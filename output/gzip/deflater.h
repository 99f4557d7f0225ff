// Compresses pieces of a DEFLATE stream at once.
#pragma once

#include <cstdint>
#include <string_view>

#include <zlib.h>

#include "output/text.h"

namespace perfsift::output {

// The kind of content, which decides how it is compressed.
enum class GzipContent : std::uint8_t {
  text,   // parts of it come again
  noise,  // numbers without an order: only runs of equal bytes, and bytes that are frequent, make it smaller
};

// Keeps the memory of the compression for the next piece. The pieces before do not change the bytes of a piece. Not
// thread-safe.
class Deflater {
 public:
  Deflater();
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // Appends DEFLATE blocks that end on a byte and refer to nothing before them.
  void append(std::string_view piece, GzipContent content, Text& compressed);

 private:
  void deflate(std::string_view piece, int strategy, Text& compressed);

  z_stream stream_{};
};

}  // namespace perfsift::output
