#include "record/kernel_features.h"

#include <gmock/gmock.h>

#include "tests/record/live.h"

namespace perfsift::record {
namespace {

namespace flag = reader::attr_flag;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// perf_event_set_clock() in kernel/events/core.c refuses an unknown clock in the way in which it refuses unknown bits.
TEST(KernelFeatures, BitThatTheKernelRefusesIsLeftOutAlone) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  reader::EventAttr attr = test::page_faults().attr;
  for (const unsigned bit : {flag::mmap2, flag::comm_exec, flag::use_clockid}) attr.set(bit);
  attr.clock_id = 99;
  EXPECT_THAT(leave_out_unknown_bits(attr), ElementsAre("use_clockid"));
  EXPECT_FALSE(attr.use_clockid());
  EXPECT_EQ(attr.clock_id, 0);
  EXPECT_TRUE(attr.mmap2() && attr.comm_exec());
}

// The kernel refuses inherit_thread without inherit, which does not mean that the bit is unknown (Linux 5.13).
TEST(KernelFeatures, InheritanceByThreadsAloneStays) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  reader::EventAttr attr = test::page_faults().attr;
  attr.set(flag::inherit);
  attr.set(flag::inherit_thread);
  EXPECT_THAT(leave_out_unknown_bits(attr), IsEmpty());
  EXPECT_TRUE(attr.inherit_thread());
}

TEST(KernelFeatures, BitsThatOnlyNeedPrivilegesOrHardwareStay) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  reader::EventAttr attr = test::page_faults().attr;
  attr.sample_type = reader::sample_bit::branch_stack | reader::sample_bit::phys_addr;
  attr.branch_sample_type = reader::branch_sample::user | reader::branch_sample::hw_index;
  attr.set(flag::namespaces);
  const reader::EventAttr before = attr;
  EXPECT_THAT(leave_out_unknown_bits(attr), IsEmpty());
  EXPECT_EQ(attr.sample_type, before.sample_type);
  EXPECT_EQ(attr.flags, before.flags);
}

}  // namespace
}  // namespace perfsift::record
