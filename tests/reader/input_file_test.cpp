// The bytes of a source are kept in memory, or in a file.

#include "reader/input_file.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>

namespace perfsift::reader {
namespace {

// A number of bytes, in pieces as from a pipe.
class Counted : public ByteSource {
 public:
  explicit Counted(std::size_t size) : size_(size) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t got = std::min({out.size(), size_ - given_, std::size_t{100'003}});
    for (std::size_t i = 0; i < got; ++i) out[i] = at(given_ + i);
    given_ += got;
    return got;
  }
  static std::byte at(std::size_t place) { return static_cast<std::byte>(place * 31 + place / 4096); }

 private:
  const std::size_t size_;
  std::size_t given_ = 0;
};

TEST(ReadAll, ReturnsTheBytesOfSmallAndLargeSources) {
  constexpr std::size_t most_in_memory = std::size_t{16} << 20;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{200'000},
                                 most_in_memory - 1, most_in_memory, most_in_memory + 1, most_in_memory + 500'000}) {
    Counted source(size);
    Mapped all = read_all(source);
    ASSERT_EQ(all.bytes().size(), size);
    bool same = true;
    for (std::size_t i = 0; i < size; ++i) same &= all.bytes()[i] == Counted::at(i);
    EXPECT_TRUE(same) << size;
  }
}

}  // namespace
}  // namespace perfsift::reader
