#include "base/large_vector.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/stable_vector.h"

namespace perfsift {
namespace {

struct alignas(64) CacheLine {
  std::uint64_t word = 0;
};

bool is_aligned(const void* at, std::size_t alignment) { return reinterpret_cast<std::uintptr_t>(at) % alignment == 0; }

// malloc() aligns to 16 bytes, so some blocks would be aligned by chance.
TEST(HugePageAllocator, AlignsSmallBlocksAsTheirElementsNeedIt) {
  std::vector<LargeVector<CacheLine>> vectors;
  for (std::size_t size = 1; size < 200; ++size) {
    vectors.emplace_back(size);
    EXPECT_TRUE(is_aligned(vectors.back().data(), alignof(CacheLine))) << size;
  }
}

TEST(HugePageAllocator, AlignsBlocksOfAnySize) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{1} << 10, (std::size_t{4} << 20) / 64 - 1,
                                 (std::size_t{4} << 20) / 64, (std::size_t{9} << 20) / 64 + 1}) {
    const LargeVector<CacheLine> vector(size);
    EXPECT_TRUE(is_aligned(vector.data(), alignof(CacheLine))) << size;
  }
}

TEST(StableVector, AlignsItsElements) {
  std::vector<std::unique_ptr<StableVector<CacheLine>>> vectors;
  for (int i = 0; i < 100; ++i) {
    const std::vector<char> between(static_cast<std::size_t>(i) * 16 + 1);  // shifts the next heap block
    vectors.push_back(std::make_unique<StableVector<CacheLine>>());
    for (int element = 0; element < 100; ++element)
      EXPECT_TRUE(is_aligned(&vectors.back()->push_back({}), alignof(CacheLine)));
  }
}

TEST(HugePageResource, AlignsAsItIsAsked) {
  std::vector<void*> blocks;
  for (const std::size_t alignment : {16u, 64u, 256u, 4096u}) {
    for (int i = 0; i < 20; ++i) {
      blocks.push_back(huge_pages()->allocate(40, alignment));
      EXPECT_TRUE(is_aligned(blocks.back(), alignment));
    }
  }
  for (void* block : blocks) huge_pages()->deallocate(block, 40);
}

TEST(HugePageAllocator, RefusesMoreThanThereCanBe) {
  EXPECT_THROW(HugePageAllocator<CacheLine>().allocate(~std::size_t{0} / 64), std::bad_alloc);
  EXPECT_THROW(HugePageAllocator<CacheLine>().allocate(~std::size_t{0}), std::bad_array_new_length);
}

}  // namespace
}  // namespace perfsift
