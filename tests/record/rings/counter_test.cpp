#include "record/rings/counter.h"

#include <cerrno>

#include <gmock/gmock.h>

#include "tests/record/live.h"

namespace perfsift::record {
namespace {

using test::fault;
using test::page_faults;

TEST(Counter, CountsWhileItIsEnabled) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  reader::EventAttr attr = page_faults().attr;
  attr.set(reader::attr_flag::disabled);
  attr.read_format =
      reader::read_format::total_time_enabled | reader::read_format::total_time_running | reader::read_format::id;
  Counter::Refused refused;
  auto counter = Counter::open(attr, {.tid = 0}, refused);
  ASSERT_TRUE(counter);
  fault(10);
  EXPECT_EQ(counter->read()->value, 0u);
  ASSERT_TRUE(counter->enable());
  fault(10);
  ASSERT_TRUE(counter->disable());
  const auto count = counter->read();
  ASSERT_TRUE(count);
  EXPECT_GE(count->value, 10u);
  EXPECT_LT(count->value, 20u);
  EXPECT_GT(count->enabled_ns, 0u);
  EXPECT_EQ(count->enabled_ns, count->running_ns);
  fault(10);
  EXPECT_EQ(counter->read()->value, count->value);
}

TEST(Counter, MemberOfAGroupFindsItsOwnCount) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  reader::EventAttr attr = page_faults().attr;
  attr.read_format = reader::read_format::id | reader::read_format::group;
  Counter::Refused refused;
  auto leader = Counter::open(attr, {.tid = 0}, refused);
  ASSERT_TRUE(leader);
  fault(10);
  auto member = Counter::open(attr, {.tid = 0, .group_fd = leader->fd()}, refused);
  ASSERT_TRUE(member);
  fault(10);
  ASSERT_TRUE(leader->disable());  // reading may cause faults
  const auto of_leader = leader->read(), of_member = member->read();
  ASSERT_TRUE(of_leader && of_member);
  EXPECT_GE(of_member->value, 10u);
  EXPECT_GE(of_leader->value, of_member->value + 10);
}

TEST(Counter, RefusalHasTheErrorOfTheKernel) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  reader::EventAttr attr = page_faults().attr;
  attr.config = 1000;  // no software event
  Counter::Refused refused;
  EXPECT_FALSE(Counter::open(attr, {.tid = 0}, refused));
  EXPECT_EQ(refused.error, ENOENT);
}

TEST(Counter, FilterOfAnEventWithoutFiltersIsRefused) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Counter::Refused refused;
  auto counter = Counter::open(page_faults().attr, {.tid = 0}, refused);
  ASSERT_TRUE(counter);
  EXPECT_FALSE(counter->set_filter("common_pid == 1"));
}

}  // namespace
}  // namespace perfsift::record
