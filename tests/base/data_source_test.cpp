#include "base/data_source.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

namespace perfsift {
namespace {

// The bit fields of the kernel's header have equal parts.
TEST(DataSource, PartsAreThoseOfTheKernelHeader) {
  for (const std::uint64_t value :
       {std::uint64_t{0x1e05080021}, std::uint64_t{0x68100142}, ~std::uint64_t{0}, std::uint64_t{0x123456789abcdef0}}) {
    perf_mem_data_src expected{};
    expected.val = value;
    const DataSource source(value);
    EXPECT_EQ(source.operation, expected.mem_op);
    EXPECT_EQ(source.level, expected.mem_lvl);
    EXPECT_EQ(source.snoop, expected.mem_snoop);
    EXPECT_EQ(source.lock, expected.mem_lock);
    EXPECT_EQ(source.tlb, expected.mem_dtlb);
    EXPECT_EQ(source.level_number, expected.mem_lvl_num);
    EXPECT_EQ(source.remote, expected.mem_remote);
    EXPECT_EQ(source.snoop_extended, expected.mem_snoopx);
    EXPECT_EQ(source.blocked, expected.mem_blk);
    EXPECT_EQ(source.hops, expected.mem_hops);
    EXPECT_EQ(source.bits(), value);
  }
}

TEST(DataSource, UnknownValues) {
  constexpr std::uint64_t load = 2;
  const auto unknown = [](std::uint64_t bits) { return DataSource(bits).has_unknown_value(); };
  for (const std::uint64_t known : {load, load | std::uint64_t{4} << 43, load | std::uint64_t{6} << 33,
                                    load | std::uint64_t{2} << 38, std::uint64_t{0x1e05080021}}) {
    EXPECT_FALSE(unknown(known)) << known;
  }
  EXPECT_TRUE(unknown(0));                              // no operation
  EXPECT_TRUE(unknown(load | std::uint64_t{7} << 33));  // mem_lvl_num
  EXPECT_TRUE(unknown(load | std::uint64_t{3} << 38));  // mem_snoopx
  EXPECT_TRUE(unknown(load | std::uint64_t{5} << 43));  // mem_hops
  EXPECT_TRUE(unknown(load | std::uint64_t{2} << 46));  // mem_region
  EXPECT_TRUE(unknown(load | std::uint64_t{1} << 63));  // mem_rsvd
}

}  // namespace
}  // namespace perfsift
