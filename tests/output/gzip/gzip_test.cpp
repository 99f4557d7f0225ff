// Files of many pieces, unpacked by zlib.

#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output/gzip/gzip_pieces.h"
#include "symbolize/elf/compression.h"

namespace perfsift::output {
namespace {

std::string unpacked(const std::string& file) {
  const auto content = symbolize::unpack(std::as_bytes(std::span(file)));
  return content ? std::string(reinterpret_cast<const char*>(content->data()), content->size()) : "damaged";
}

std::string noise(std::size_t size) {
  std::mt19937 random(7);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::string gzip(std::span<const GzipPart> parts, unsigned threads) {
  std::string file;
  write_gzip(parts, threads, [&](std::string_view bytes) { file += bytes; });
  return file;
}

// A text, noise followed by runs, and an empty part.
class Gzip : public ::testing::Test {
 protected:
  std::string all() const { return text_ + noise_; }
  std::vector<GzipPart> parts() const {
    return {{.bytes = text_}, {.bytes = {}}, {.bytes = noise_, .content = GzipContent::noise}};
  }

 private:
  const std::string text_ = "a text, a text, a text";
  const std::string noise_ = noise(600'000) + std::string(300'000, '\x05') + noise(9);
};

TEST_F(Gzip, PartsComeBackBehindEachOther) { EXPECT_TRUE(unpacked(gzip(parts(), 1)) == all()); }

TEST_F(Gzip, ThreadsDoNotChangeTheBytes) { EXPECT_TRUE(gzip(parts(), 1) == gzip(parts(), 5)); }

TEST_F(Gzip, NoiseIsStoredAndRunsAreNot) {
  const std::size_t size = gzip(parts(), 1).size();
  EXPECT_GT(size, 600'000);
  EXPECT_LT(size, 640'000);
}

TEST(GzipOfNothing, IsAnEmptyFile) { EXPECT_EQ(unpacked(gzip({}, 2)), ""); }

TEST_F(Gzip, AFailedWriteIsTold) {
  const auto full = [](std::string_view bytes) {
    if (bytes.size() > 1000) throw std::runtime_error("full");
  };
  EXPECT_THROW(write_gzip(parts(), 2, full), std::runtime_error);
}

TEST(DeflaterMemory, PiecesBeforeDoNotChangeTheBytes) {
  const std::string random = noise(100'000), runs(100'000, 'x'), text = "to be or not to be or to be";
  const auto compressed = [](Deflater& deflater, std::string_view piece, GzipContent content) {
    Text bytes;
    deflater.append(piece, content, bytes);
    return std::string(bytes.view());
  };
  Deflater used, fresh;
  for (const std::string_view before : {random, runs, text}) {
    for (const GzipContent content : {GzipContent::noise, GzipContent::text}) compressed(used, before, content);
  }
  EXPECT_EQ(compressed(used, text, GzipContent::text), compressed(fresh, text, GzipContent::text));
}

}  // namespace
}  // namespace perfsift::output
