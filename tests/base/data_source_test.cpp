#include "base/data_source.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

namespace perfsift {
namespace {

// The bit fields of the kernel's header give the same parts.
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

}  // namespace
}  // namespace perfsift
