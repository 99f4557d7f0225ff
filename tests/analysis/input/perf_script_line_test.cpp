// Lines from the output of perf 6.1, or in the format of its builtin-script.c, field by field.
#include "analysis/input/perf_script_line.h"

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

ScriptHeader header(std::string_view line) {
  const auto parsed = parse_script_header(line);
  EXPECT_TRUE(parsed.has_value()) << line;
  return parsed.value_or(ScriptHeader{});
}

ScriptFrame frame(std::string_view line) {
  const auto parsed = parse_script_frame(line);
  EXPECT_TRUE(parsed.has_value()) << line;
  return parsed.value_or(ScriptFrame{});
}

TEST(ScriptHeader, HasTheFieldsOfPerfsDefault) {
  const ScriptHeader h = header("swapper     0 [000]  1234.127887:    1001001 cpu-clock: ");
  EXPECT_EQ(h.comm, "swapper");
  EXPECT_EQ(h.pid, std::nullopt);
  EXPECT_EQ(h.tid, 0);
  EXPECT_EQ(h.cpu, 0u);
  EXPECT_EQ(h.time, 1'234'127'887'000u);
  EXPECT_EQ(h.period, 1'001'001u);
  EXPECT_EQ(h.event, "cpu-clock");
  EXPECT_EQ(h.trace, "");
  EXPECT_FALSE(h.frame.has_value());
  EXPECT_TRUE(h.certain);
}

TEST(ScriptHeader, APeriodThatWasNotPrintedIsNotMadeUp) {
  const ScriptHeader h = header("perf 13138/13138 [001]  1236.341836: cycles:u: ");
  EXPECT_EQ(h.period, std::nullopt);
  EXPECT_EQ(h.event, "cycles:u");
  EXPECT_EQ(h.pid, 13138);
}

TEST(ScriptHeader, NamesMayBeAnything) {
  EXPECT_EQ(header("t 12  1.000000: 1 c: ").comm, "t");
  EXPECT_EQ(header("t (x) y 12720  1233.025778:     500000 cpu-clock: ").comm, "t (x) y");
  EXPECT_EQ(header("a b 12 34/35    1.000000: 1 c: ").comm, "a b 12");
  EXPECT_EQ(header("kworker/0:0H-kb     5 [000]     1.000000: 1 c: ").comm, "kworker/0:0H-kb");
  EXPECT_EQ(header("job: 7 x: 12    1.000000: 1 c: ").comm, "job: 7 x:");
  EXPECT_EQ(header("[1] 2 [000]     1.000000: 1 c: ").comm, "[1]");
  EXPECT_EQ(header("            dd 13411  1237.520770:          1 faults: ").comm, "dd");
}

TEST(ScriptHeader, AProcessThatHasExitedHasMinusOneForAnId) {
  const ScriptHeader lone = header(":-1    -1 [000]  1236.352075:     250000          cpu-clock: ");
  EXPECT_EQ(lone.comm, ":-1");
  EXPECT_EQ(lone.tid, -1);
  EXPECT_EQ(lone.event, "cpu-clock");
  const ScriptHeader both = header(":-1    -1/-1    [000]  1236.352075: cpu-clock: ");
  EXPECT_EQ(both.pid, -1);
  EXPECT_EQ(both.tid, -1);
}

TEST(ScriptHeader, ATracepointHasItsEventWholeAndItsFields) {
  const ScriptHeader h = header(
      "perf 13138 [000]  1236.341896: sched:sched_switch: prev_comm=perf prev_pid=13138 prev_state=D ==> "
      "next_comm=migration/0 next_pid=18");
  EXPECT_EQ(h.event, "sched:sched_switch");
  EXPECT_EQ(h.trace, "prev_comm=perf prev_pid=13138 prev_state=D ==> next_comm=migration/0 next_pid=18");
  EXPECT_EQ(h.period, std::nullopt);
  EXPECT_FALSE(h.frame.has_value());
}

TEST(ScriptHeader, WithoutACallchainTheFrameIsOnTheSameLine) {
  const ScriptHeader h = header(
      "            bash 13411  1237.520829:          3 page-faults:      7f53d9628b70 _start+0x0 "
      "(/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)");
  EXPECT_EQ(h.comm, "bash");
  EXPECT_EQ(h.period, 3u);
  ASSERT_TRUE(h.frame.has_value());
  EXPECT_EQ(h.frame->address, 0x7f53d9628b70u);
  EXPECT_EQ(h.frame->symbol, "_start");
  EXPECT_EQ(h.frame->offset, 0u);
  EXPECT_EQ(h.frame->dso, "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
}

TEST(ScriptHeader, TheFrameComesAfterATracepointsFields) {
  const ScriptHeader h = header(
      "            perf 13138 [000]  1236.341836: sched:sched_wakeup: comm=migration/0 pid=18 target_cpu=000 "
      "ffffffff813aa3e5 ttwu_do_activate ([kernel.kallsyms])");
  EXPECT_EQ(h.trace, "comm=migration/0 pid=18 target_cpu=000");
  ASSERT_TRUE(h.frame.has_value());
  EXPECT_EQ(h.frame->symbol, "ttwu_do_activate");
}

TEST(ScriptHeader, TheFrameIsTheSampledAddressNotTheDataNorWhereABranchWent) {
  const ScriptHeader data =
      header("cat 7 1.000000: mem:     7ffd00001000     55e300001234 read+0x4 (/bin/cat)         12345678");
  ASSERT_TRUE(data.frame.has_value());
  EXPECT_EQ(data.frame->address, 0x55e300001234u);
  EXPECT_EQ(data.frame->dso, "/bin/cat");
  const ScriptHeader branch =
      header("cat 7 1.000000: branches:      55e300001234 a+0x4 (/bin/cat) =>     55e300005678 b+0x0 (/bin/cat)");
  ASSERT_TRUE(branch.frame.has_value());
  EXPECT_EQ(branch.frame->symbol, "a");
}

TEST(ScriptHeader, NanosecondsAreExact) { EXPECT_EQ(header("x 1 5.000000123: c: ").time, 5'000'000'123u); }

TEST(ScriptHeader, WithoutTheTimeItIsReadFromTheEvent) {
  const ScriptHeader h = header("bash 12890          1      page-faults: ");
  EXPECT_EQ(h.comm, "bash");
  EXPECT_EQ(h.tid, 12890);
  EXPECT_EQ(h.period, 1u);
  EXPECT_EQ(h.event, "page-faults");
  EXPECT_TRUE(h.certain);
  EXPECT_EQ(header("bash 12890      page-faults: ").period, std::nullopt);
}

TEST(ScriptHeader, WithoutTheEventANumberAfterTheTimeIsThePeriod) {
  EXPECT_EQ(header("            bash 12890  1235.232863:         12 ").period, 12u);
}

TEST(ScriptHeader, DigitsAsWideAsAnAddressAreAnAddress) {
  const ScriptHeader h = header("            bash 12890  1235.232863:      565395123456 f");
  EXPECT_EQ(h.period, std::nullopt);
  ASSERT_TRUE(h.frame.has_value());
  EXPECT_EQ(h.frame->address, 0x565395123456u);
}

TEST(ScriptHeader, TheModeOfMiscIsNoPartOfTheName) {
  const ScriptHeader h = header("bash 12890 K      1235.232863:      page-faults: ");
  EXPECT_EQ(h.comm, "bash");
  EXPECT_EQ(h.tid, 12890);
  EXPECT_EQ(header("K 12  1.000000: c: ").comm, "K");
}

TEST(ScriptHeader, AlmostAnyTextCouldBeANameAndSaysSo) {
  EXPECT_EQ(header("bash ").comm, "bash");
  EXPECT_FALSE(header("bash ").certain);
  EXPECT_FALSE(header("Warning: something went wrong").certain);
}

TEST(ScriptHeader, ARecordIsNoSample) {
  EXPECT_TRUE(header("kthreadd     0 [000]     0.000000: PERF_RECORD_FORK(3:3):(2:2)").record);
  EXPECT_TRUE(header("memfd:x     0 PERF_RECORD_MMAP2 1/1: [0x7f(0x20) @ 0 00:00 0 0]: r-xp [vdso]").record);
}

TEST(ScriptHeader, ATimeBeyondTheClockIsNoTime) { EXPECT_EQ(header("x 1 99999999999.000000: c: ").time, std::nullopt); }

TEST(ScriptFrame, HasAddressSymbolOffsetAndDso) {
  const ScriptFrame f = frame("\tffffffff81567c52 __output_copy.isra.0+0x2 ([kernel.kallsyms])");
  EXPECT_EQ(f.address, 0xffffffff81567c52u);
  EXPECT_EQ(f.symbol, "__output_copy.isra.0");
  EXPECT_EQ(f.offset, 2u);
  EXPECT_EQ(f.dso, "[kernel.kallsyms]");
  EXPECT_FALSE(f.inlined);
}

TEST(ScriptFrame, WhatPerfDoesNotKnowIsEmpty) {
  const ScriptFrame f = frame("\t    7feaa16931e0 [unknown] ([unknown])");
  EXPECT_EQ(f.symbol, "");
  EXPECT_EQ(f.offset, std::nullopt);
  EXPECT_EQ(f.dso, "");
  EXPECT_EQ(frame("\t          146f2c [unknown] (/usr/bin/perf)").dso, "/usr/bin/perf");
}

TEST(ScriptFrame, PathsMayHoldSpacesAndParentheses) {
  for (const char* line : {"\t            13cf main+0x181 (/tmp/t (x) y)", "\t            13cf main (/tmp/t (x) y)"}) {
    EXPECT_EQ(frame(line).symbol, "main");
    EXPECT_EQ(frame(line).dso, "/tmp/t (x) y");
  }
  EXPECT_EQ(frame("\t 13cf main+0x181 (/tmp/a)b").dso, "/tmp/a");
  EXPECT_EQ(frame("\t 13cf main (/tmp/a)b)").dso, "/tmp/a)b");
  EXPECT_EQ(frame("\t 13cf main (/tmp/a(b)").dso, "/tmp/a(b");
  EXPECT_EQ(frame("\t 13cf [unknown] (/memfd:x (deleted))").dso, "/memfd:x (deleted)");
}

TEST(ScriptFrame, NamesMayHoldSpacesAndParentheses) {
  EXPECT_EQ(frame("\t 10 (anonymous namespace)::f()+0x1 (/x)").symbol, "(anonymous namespace)::f()");
  EXPECT_EQ(frame("\t 10 f(void (*)(int), char const*) (/x)").symbol, "f(void (*)(int), char const*)");
  EXPECT_EQ(frame("\t 10 operator()(int) const+0x3 (/x)").symbol, "operator()(int) const");
  EXPECT_EQ(frame("\t 10 a->b->operator->+0x3 (/x)").symbol, "a->b->operator->");
}

TEST(ScriptFrame, AnInlinedCallHasNoDso) {
  const ScriptFrame f = frame("\t            13b7 std::__cxx11::to_string+0x169 (inlined)");
  EXPECT_TRUE(f.inlined);
  EXPECT_EQ(f.symbol, "std::__cxx11::to_string");
  EXPECT_EQ(f.offset, 0x169u);
  EXPECT_EQ(f.dso, "");
}

TEST(ScriptFrame, FieldsMayBeMissing) {
  EXPECT_EQ(frame("\tffffffff817554ea elf_load").symbol, "elf_load");
  EXPECT_EQ(frame("\t 10 f(int)").symbol, "f(int)");
  EXPECT_EQ(frame("\t 10 f(int)").dso, "");
  EXPECT_EQ(frame("\tffffffff817554ea").address, 0xffffffff817554eau);
  const ScriptFrame no_symbol = frame("\tffffffff817554ea ([kernel.kallsyms])");
  EXPECT_EQ(no_symbol.symbol, "");
  EXPECT_EQ(no_symbol.dso, "[kernel.kallsyms]");
}

TEST(ScriptFrame, BeginsWithAnAddress) {
  EXPECT_FALSE(parse_script_frame("\tmain (/x)").has_value());
  EXPECT_FALSE(parse_script_frame("\t10000000000000000 f (/x)").has_value());  // 2^64
  EXPECT_FALSE(parse_script_frame("\t").has_value());
}

}  // namespace
}  // namespace perfsift::analysis
