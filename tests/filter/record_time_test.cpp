// The filters that perf record --filter accepts: see perf-record(1) and Documentation/trace/events.rst of the kernel.
#include "filter/record_time.h"

#include <gtest/gtest.h>

namespace perfsift::filter {
namespace {

std::string bpf(std::string expression) {
  const auto found = record_time_filter({.origin = "", .text = std::move(expression)});
  return found && !found->is_of_tracepoint ? found->text : "";
}
std::string of_tracepoint(std::string expression) {
  const auto found = record_time_filter({.origin = "", .text = std::move(expression)});
  return found && found->is_of_tracepoint ? found->text : "";
}

TEST(RecordTimeFilter, OfPerfIsAListOfAlternatives) {
  EXPECT_EQ(bpf("period > 1000 && ip < 0xffff"), "period > 1000, ip < 0xffff");
  EXPECT_EQ(bpf("(mem.op == load || mem.op == store) && mem.lvl == l2"),
            "mem_op == load || mem_op == store, mem_lvl == l2");
  EXPECT_EQ(bpf("cpu in {0, 2}"), "cpu == 0 || cpu == 2");
  EXPECT_EQ(bpf("time in 1s..2s"), "time >= 1000000000, time <= 2000000000");
  EXPECT_EQ(bpf("data_page_size == 4k, mem.lock"), "data_pgsz == 4096, mem_lock == locked");
}

TEST(RecordTimeFilter, OfPerfHasNoNamesNegationsAndNestedAlternatives) {
  EXPECT_EQ(bpf("comm == 'x'"), "");
  EXPECT_EQ(bpf("pid == 1 && sym == 'x'"), "");
  EXPECT_EQ(bpf("!(pid == 1)"), "");
  EXPECT_EQ(bpf("pid == 1 && tid == 2 || pid == 3"), "");
  EXPECT_EQ(bpf("time in 10%..20%"), "");
  EXPECT_EQ(bpf("every(10)"), "");
  EXPECT_EQ(bpf("mem.dtlb == l1"), "");
  EXPECT_EQ(bpf("mem.lvl == remote_ram"), "");
}

TEST(RecordTimeFilter, OfATracepointHasItsFields) {
  EXPECT_EQ(of_tracepoint("prev_pid == 0 && (next_comm == 'rx*' || next_prio < 10)"),
            "prev_pid == 0 && (next_comm ~ \"rx*\" || next_prio < 10)");
  EXPECT_EQ(of_tracepoint("sched:sched_switch.prev_pid == 1"), "prev_pid == 1");
  EXPECT_EQ(of_tracepoint("flags & 4"), "flags & 4");
  EXPECT_EQ(of_tracepoint("!(ret == 0)"), "!(ret == 0)");
}

// glob_match() of the kernel has classes in brackets.
TEST(RecordTimeFilter, OfATracepointHasNoBracketsInGlobs) {
  EXPECT_EQ(of_tracepoint("next_comm == '[rx*'"), "");
  EXPECT_EQ(of_tracepoint("next_comm == '[rx]'"), "next_comm == \"[rx]\"");
}

TEST(RecordTimeFilter, OfATracepointHasNeitherFactsNorLettersOfStates) {
  EXPECT_EQ(of_tracepoint("prev_pid == 1 && comm == 'x'"), "");
  EXPECT_EQ(of_tracepoint("prev_state == 'D'"), "");
  EXPECT_EQ(of_tracepoint("next_comm =~ 'x'"), "");
}

}  // namespace
}  // namespace perfsift::filter
