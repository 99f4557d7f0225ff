// Raw data of the scheduler's tracepoints, in the layouts of /sys/kernel/tracing/events/sched/*/format in Linux 6.1
// and 6.18, with the padding of perf_trace_##call.

#include "dlfilters/module/sched_layouts.h"

#include <optional>

#include <gtest/gtest.h>

#include "tests/support/bytes.h"

namespace perfsift::dlfilter {
namespace {

using offcpu::SchedEvent;
using offcpu::SchedKind;
using test::BytesBuilder;

std::optional<SchedEvent> read(SchedKind kind, Bytes raw) {
  SchedEvent event{.kind = kind};
  return read_sched_event(raw, event) ? std::optional(event) : std::nullopt;
}

BytesBuilder entry(std::uint32_t pid) { return BytesBuilder().u16(372).u8(0).u8(1).u32(pid); }
std::string_view comm(std::string_view name) {  // in an array of 16 bytes, followed by an older text
  static std::string array;
  array = std::string(name) + std::string("\0rest of another", 16);
  array.resize(16);
  return array;
}

BytesBuilder sched_switch(std::uint32_t current) {
  auto raw = entry(current);
  raw.text(comm("worker")).u32(7).u32(120).u64(0x100);
  raw.text(comm("0123456789abcdef")).u32(8).u32(120).zeros(4);
  return raw;
}

TEST(SchedSwitchTracepoint, TellsWhoLeftAndWhoCame) {
  const auto raw = sched_switch(7).take();
  ASSERT_EQ(raw.size(), 68U);
  const auto event = read(SchedKind::switch_, raw);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->subject, 7);
  EXPECT_EQ(event->value, 0x100U);
  EXPECT_EQ(comms_of_switch(raw).prev, "worker");
  EXPECT_EQ(event->other, 8);
  EXPECT_EQ(comms_of_switch(raw).next, "0123456789abcdef");
}

TEST(SchedSwitchTracepoint, IsRefusedInAnyOtherLayout) {
  const auto shorter = sched_switch(7).take();
  EXPECT_FALSE(read(SchedKind::switch_, Bytes(shorter).first(60)));  // the layout of a 32-bit kernel
  EXPECT_FALSE(read(SchedKind::switch_, sched_switch(7).zeros(8).view()));
  EXPECT_FALSE(read(SchedKind::switch_, sched_switch(9).view()));  // thread 9 cannot be the current one
  EXPECT_FALSE(read(SchedKind::switch_, {}));
}

TEST(SchedWakeupTracepoint, TellsWhoIsWoken) {
  for (const SchedKind kind : {SchedKind::waking, SchedKind::wakeup_new}) EXPECT_TRUE(has_layout(kind));
  auto with_success = entry(1);
  with_success.text(comm("worker")).u32(7).u32(120).u32(1).u32(0).zeros(4);
  ASSERT_EQ(with_success.size(), 44U);
  EXPECT_EQ(read(SchedKind::wakeup, with_success.view())->subject, 7);
  auto without = entry(1);
  without.text(comm("worker")).u32(7).u32(120).u32(0);
  ASSERT_EQ(without.size(), 36U);
  EXPECT_EQ(read(SchedKind::wakeup, without.view())->subject, 7);
  EXPECT_FALSE(read(SchedKind::wakeup, without.zeros(16).view()));
}

TEST(SchedProcessForkTracepoint, TellsTheNewThread) {
  auto arrays = entry(7);
  arrays.text(comm("worker")).u32(7).text(comm("worker")).u32(9).zeros(4);
  ASSERT_EQ(arrays.size(), 52U);
  EXPECT_EQ(read(SchedKind::fork, arrays.view())->subject, 9);
  // __data_loc: the upper half is the size with the NUL, the lower half is the offset.
  auto texts = entry(7);
  texts.u32(7 << 16 | 24).u32(7).u32(7 << 16 | 31).u32(9).text(std::string_view("worker\0worker\0", 14)).zeros(6);
  EXPECT_EQ(read(SchedKind::fork, texts.view())->subject, 9);
  EXPECT_FALSE(read(SchedKind::fork, entry(7).zeros(36).view()));
  EXPECT_FALSE(read(SchedKind::fork, entry(7).u32(7 << 16 | 24).view()));
}

TEST(SchedProcessExecTracepoint, TellsBothNumbers) {
  auto raw = entry(7);
  raw.u32(8 << 16 | 20).u32(7).u32(9).text(std::string_view("/bin/ls\0", 8));
  const auto event = read(SchedKind::exec, raw.view());
  ASSERT_TRUE(event);
  EXPECT_EQ(event->subject, 7);
  EXPECT_EQ(event->other, 9);
  EXPECT_FALSE(read(SchedKind::exec, entry(7).u32(8 << 16 | 24).zeros(16).view()));
}

}  // namespace
}  // namespace perfsift::dlfilter
