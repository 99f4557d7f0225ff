// The content of a gzipped file.
#pragma once

#include <cstddef>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace perfsift::test {

inline std::string unpacked(std::string packed) {
  std::string content(std::size_t{1} << 24, '\0');
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  content.resize(stream.total_out);
  inflateEnd(&stream);
  return content;
}

}  // namespace perfsift::test
