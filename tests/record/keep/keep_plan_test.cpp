// Which part of an expression goes to the kernel, and which part stays.
//
// The kernel's language is that of kernel/trace/trace_events_filter.c; what the kernel means by a filter is in the
// comments of record/keep/kernel_filter.cpp.

#include "record/keep/keep_plan.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "reader/format/abi.h"
#include "tests/record/keep/made_events.h"

namespace perfsift::record {
namespace {

using test::MadeEvents;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace bit = reader::sample_bit;

const KeptEvent* kept_event(const KeepPlan& plan, std::string_view name) {
  const auto found = std::ranges::find_if(plan.events, [&](const KeptEvent& one) { return one.request.name == name; });
  return found != plan.events.end() ? &*found : nullptr;
}

// A row of a truth table: of one event, the kernel's part and the recorder's part.
struct KeepRow {
  std::string expression;
  std::string kernel;    // empty: no tracepoint filter
  std::string residual;  // empty: none
};

void expect_rows(const EventRequest& event, const std::vector<KeepRow>& rows) {
  const MadeEvents made;
  for (const KeepRow& row : rows) {
    SCOPED_TRACE(row.expression);
    const KeepPlan plan = made.plan(row.expression, {event});
    ASSERT_EQ(plan.events.size(), 1U);
    EXPECT_EQ(plan.events[0].request.filter, row.kernel);
    EXPECT_EQ(plan.events[0].residual, row.residual);
  }
}

TEST(KeepPlan, ComparisonsOfNumbersGoToTheKernel) {
  expect_rows(
      MadeEvents::sched_switch(),
      {
          {"prev_pid == 7", "prev_pid == 7", ""},
          {"prev_pid != 7", "prev_pid != 7", ""},
          {"7 == prev_pid", "prev_pid == 7", ""},
          {"7 < prev_pid", "prev_pid >= 8", ""},
          {"prev_pid < 7", "prev_pid <= 6", ""},
          {"prev_pid == -1", "prev_pid == -1", ""},
          {"prev_prio > -5", "prev_prio >= -4", ""},
          {"prev_pid in {1, 3..5, 9}", "prev_pid == 1 || (prev_pid >= 3 && prev_pid <= 5) || prev_pid == 9", ""},
          {"prev_pid not in 3..5", "!(prev_pid >= 3 && prev_pid <= 5)", ""},
          {"sched:sched_switch.prev_pid == 7", "prev_pid == 7", ""},
          {"common_pid == 7", "common_pid == 7", ""},
          {"prev_state == 2", "prev_state == 2", ""},
      });
}

TEST(KeepPlan, NumbersThatAFieldCannotHoldAreDecidedAtOnce) {
  expect_rows(MadeEvents::kinds(), {
                                       {"level < 256", "", ""},
                                       {"level > 254", "level == 255", ""},
                                       {"level != 300", "", ""},
                                       {"small < -127", "small == -128", ""},
                                       {"small in -500..5", "small <= 5", ""},
                                       {"bytes > 18446744073709551614", "bytes == 18446744073709551615", ""},
                                       {"bytes >= 4k", "bytes >= 4096", ""},
                                       {"bytes >= -1", "", ""},
                                   });
  const MadeEvents made;
  for (const char* const never : {"level == 256", "small == 200", "bytes < 0", "path == 7", "label == \"x\""}) {
    EXPECT_THROW(made.plan(never, {MadeEvents::kinds()}), UsageError) << never;
  }
}

TEST(KeepPlan, BitsGoToTheKernelWhereItCanTestThem) {
  expect_rows(MadeEvents::kinds(), {
                                       {"flags & 6", "flags & 6", ""},
                                       {"!(flags & 6)", "!(flags & 6)", ""},
                                       {"flags & 6 == 0", "!(flags & 6)", ""},
                                       {"flags & 6 != 0", "flags & 6", ""},
                                       {"flags & 4 == 4", "flags & 4", ""},
                                       {"flags & 4 != 4", "!(flags & 4)", ""},
                                       {"flags & 6 == 2", "", "flags & 6 == 2"},
                                       {"flags & 0x80000000", "flags & 2147483648", ""},
                                       {"flags & 0x100000000", "", "flags & 0x100000000"},
                                       {"small & 0x80", "small & 128", ""},
                                       {"small & 0x180", "", "small & 0x180"},
                                   });
}

TEST(KeepPlan, TextsGoToTheKernelWhereItComparesThemAsTheLanguageDoes) {
  expect_rows(MadeEvents::sched_switch(),
              {
                  {R"(prev_comm == "rx-0")", R"(prev_comm == "rx-0")", ""},
                  {R"(prev_comm != "rx-0")", R"(prev_comm != "rx-0")", ""},
                  {R"(prev_comm == "rx*")", R"(prev_comm ~ "rx*")", ""},
                  // The kernel looks at the end of the array.
                  {R"(prev_comm == "*rx")", "", R"(prev_comm == "*rx")"},
                  {R"(prev_comm in {"a", "b*"})", R"(prev_comm == "a" || prev_comm ~ "b*")", ""},
                  {R"(prev_comm not in {"a", "b*"})", R"(!(prev_comm == "a" || prev_comm ~ "b*"))", ""},
                  // The kernel looks behind the end of the text.
                  {R"(prev_comm == "*rx*")", "", R"(prev_comm == "*rx*")"},
                  {R"(prev_comm == "r?")", "", R"(prev_comm == "r?")"},
                  {R"(prev_comm == "r[a]*")", "", R"(prev_comm == "r[a]*")"},
                  // The kernel takes the pattern for a text without wildcards.
                  {R"(prev_comm == "7*")", "", R"(prev_comm == "7*")"},
                  {R"(prev_comm == "!a*")", "", R"(prev_comm == "!a*")"},
                  // The kernel has no character that makes a quote a part of the text.
                  {R"(prev_comm == "a\"b")", "", R"(prev_comm == "a\"b")"},
                  {R"(prev_comm =~ "rx")", "", R"(prev_comm =~ "rx")"},
                  {R"(prev_comm == "")", "", R"(prev_comm == "")"},
                  // The kernel compares the first 16 characters.
                  {R"(prev_comm == "0123456789abcdef")", "", R"(prev_comm == "0123456789abcdef")"},
              });
  expect_rows(MadeEvents::kinds(), {
                                       // A text without a NUL at its end equals a longer text for the kernel.
                                       {R"(path == "/bin/sh")", R"(path == "/bin/sh")", R"(path == "/bin/sh")"},
                                       {R"(path != "/bin/sh")", "", R"(path != "/bin/sh")"},
                                       {R"(path != "/bin/s*")", R"(!(path ~ "/bin/s*"))", ""},
                                       {R"(mac == "ARRAY*")", "", R"(mac == "ARRAY*")"},
                                       // The kernel compares the text behind the pointer.
                                       {"label == 5", "", "label == 5"},
                                   });
}

TEST(KeepPlan, LettersOfStatesBecomeBits) {
  expect_rows(MadeEvents::sched_switch(),
              {
                  {R"(prev_state == "S")", "prev_state & 1", ""},
                  {R"(prev_state == "D")", "prev_state & 2 && !(prev_state & 1)", ""},
                  {R"(prev_state != "D")", "!(prev_state & 2 && !(prev_state & 1))", ""},
                  {R"(prev_state == "R")", "prev_state == 0", ""},
                  {R"(prev_state == "R+")", "!(prev_state & 255) && prev_state != 0", ""},
                  {R"(prev_state in {"D", "S"})", "prev_state & 1 || (prev_state & 2 && !(prev_state & 1))", ""},
                  {R"(prev_state =~ "[DZ]")",
                   "(prev_state & 2 && !(prev_state & 1)) || (prev_state & 32 && !(prev_state & 31))", ""},
              });
}

TEST(KeepPlan, TheNameOfTheRunningThreadGoesToTheKernelForTracepoints) {
  expect_rows(MadeEvents::sched_switch(),
              {
                  {R"(comm == "rx-0")", R"(COMM == "rx-0")", ""},
                  {R"(comm != "rx-0")", R"(COMM != "rx-0")", ""},
                  {R"(comm in {"a", "b"})", R"(COMM == "a" || COMM == "b")", ""},
                  // Samples call an idle thread swapper, the kernel swapper/1.
                  {R"(comm == "swapper")", R"(common_pid == 0 || COMM == "swapper")", ""},
                  {R"(comm == "swapper/1")", R"(common_pid != 0 && COMM == "swapper/1")", ""},
                  {R"(comm == "s*")", R"(common_pid == 0 || COMM ~ "s*")", ""},
                  {R"(comm == "*1")", "", R"(comm == "*1")"},
                  {R"(comm == "swapper/*")", R"(common_pid != 0 && COMM ~ "swapper/*")", ""},
                  {R"(comm =~ "rx")", "", R"(comm =~ "rx")"},
              });
  expect_rows(MadeEvents::cycles(), {{R"(comm == "rx-0")", "", R"(comm == "rx-0")"}});
}

TEST(KeepPlan, PartsThatTheKernelCannotDecideStayWithTheRecorder) {
  expect_rows(MadeEvents::sched_switch(),
              {
                  {"prev_pid == next_pid", "", "prev_pid == next_pid"},
                  {"prev_pid == tid", "", "prev_pid == tid"},
                  {"prev_pid == 7 && next_pid == 8", "prev_pid == 7 && next_pid == 8", ""},
                  {"prev_pid == 7, next_pid == 8", "prev_pid == 7 && next_pid == 8", ""},
                  {"prev_pid == 7 && comm =~ \"x\"", "prev_pid == 7", "comm =~ \"x\""},
                  {"prev_pid == 7 || comm =~ \"x\"", "", "comm =~ \"x\" || prev_pid == 7"},
                  {"(prev_pid == 7 || next_pid == 8) && prev_comm == \"a\"",
                   "(prev_pid == 7 || next_pid == 8) && prev_comm == \"a\"", ""},
                  {"!(prev_pid == 7 && next_pid == 8)", "!(prev_pid == 7 && next_pid == 8)", ""},
                  {"!(prev_pid == 7 && comm =~ \"x\")", "", "!(comm =~ \"x\" && prev_pid == 7)"},
                  // The kernel keeps more samples than the expression.
                  {"prev_pid == 7 && next_pid == 1 || next_pid == 8 && comm =~ \"x\"",
                   "(prev_pid == 7 && next_pid == 1) || next_pid == 8",
                   "(prev_pid == 7 && next_pid == 1) || (comm =~ \"x\" && next_pid == 8)"},
                  {"cpu == 3 || prev_pid == 7", "CPU == 3 || prev_pid == 7", ""},
                  {"has prev_pid", "", ""},
                  {"random(1%)", "", "random(1%)"},
              });
}

TEST(KeepPlan, AFilterOfTheUserIsKept) {
  const MadeEvents made;
  KeepRequest request = made.request("next_pid == 1", {MadeEvents::sched_switch()});
  request.events[0].filter = "prev_prio < 100 || prev_prio > 120";
  EXPECT_EQ(made.plan(request).events[0].request.filter, "(prev_prio < 100 || prev_prio > 120) && next_pid == 1");
}

// perf_event_set_filter() takes a page.
TEST(KeepPlan, AFilterThatIsTooLongForTheKernelStaysWithTheRecorder) {
  std::string expression = "prev_pid in {0";
  for (int pid = 2; pid < 1000; pid += 2) expression += ", " + std::to_string(pid);
  expression += "}";
  const KeepPlan plan = MadeEvents().plan(expression + " && next_pid == 1", {MadeEvents::sched_switch()});
  EXPECT_EQ(plan.events[0].request.filter, "next_pid == 1");
  EXPECT_EQ(plan.events[0].residual, expression);
}

TEST(KeepPlan, EventsWithoutASampleThatCanBeKeptAreNotOpened) {
  const MadeEvents made;
  const std::vector<EventRequest> events = {MadeEvents::cycles(), MadeEvents::cpu_clock(), MadeEvents::sched_switch(),
                                            MadeEvents::kinds()};
  const auto opened = [&](const std::string& expression) {
    std::vector<std::string> names;
    for (const KeptEvent& event : made.plan(expression, events).events) names.push_back(event.request.name);
    return names;
  };
  EXPECT_THAT(opened("prev_pid == 7"), ElementsAre("sched:sched_switch"));
  EXPECT_THAT(opened("event == \"cycles\""), ElementsAre("cycles"));
  EXPECT_THAT(opened("event == \"cpu-clock\""), ElementsAre("cpu-clock:u"));
  EXPECT_THAT(opened("event == \"*:*\" && event != \"made:*\""), ElementsAre("cpu-clock:u", "sched:sched_switch"));
  EXPECT_THAT(opened("event =~ \"clock\" || level == 7"), ElementsAre("cpu-clock:u", "made:kinds"));
  EXPECT_THAT(opened("!(prev_pid == 7)"), ElementsAre("cycles", "cpu-clock:u", "sched:sched_switch", "made:kinds"));
  EXPECT_THAT(explained(made.plan("level == 7", events)),
              Contains("cycles: not opened: no sample of the event can be kept"));
  EXPECT_THROW(made.plan("event == \"faults\"", events), UsageError);
}

TEST(KeepPlan, EachEventHasItsOwnPart) {
  const KeepPlan plan = MadeEvents().plan("comm == \"rx-0\" && cpu < 4 && (event == \"cycles\" || prev_state == \"D\")",
                                          {MadeEvents::cycles(), MadeEvents::cpu_clock(), MadeEvents::sched_switch()});
  EXPECT_EQ(kept_event(plan, "cpu-clock:u"), nullptr);
  EXPECT_EQ(kept_event(plan, "cycles")->residual, "comm == \"rx-0\"");
  EXPECT_EQ(kept_event(plan, "sched:sched_switch")->residual, "");
  EXPECT_THAT(plan.target.cpus, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(explained(plan),
              ElementsAre("cpu-clock:u: not opened: no sample of the event can be kept",
                          "all events: kept by opening only CPUs 0-3",
                          "cycles: kept by the recorder, for each sample: comm == \"rx-0\"",
                          "sched:sched_switch: kept by the kernel as a tracepoint filter: COMM == \"rx-0\" && "
                          "(prev_state & 2 && !(prev_state & 1))"));
}

TEST(KeepPlan, OnlyTheCpusThatCanBeKeptAreOpened) {
  const MadeEvents made;
  const auto cpus = [&](const std::string& expression) {
    const KeepPlan plan = made.plan(expression, {MadeEvents::cycles()});
    EXPECT_EQ(plan.events[0].residual, "") << expression;
    return plan.target.cpus;
  };
  EXPECT_THAT(cpus("cpu == 3"), ElementsAre(3));
  EXPECT_THAT(cpus("cpu != 3"), ElementsAre(0, 1, 2, 4, 5, 6, 7));
  EXPECT_THAT(cpus("cpu in {1, 3} || cpu == 5"), ElementsAre(1, 3, 5));
  EXPECT_THAT(cpus("!(cpu in 1..6)"), ElementsAre(0, 7));
  EXPECT_THAT(cpus("cpu < 100"), IsEmpty());
  EXPECT_THROW(made.plan("cpu == 99", {MadeEvents::cycles()}), UsageError);
  KeepRequest request = made.request("cpu < 3", {MadeEvents::cycles()});
  request.target.cpus = {2, 5};
  EXPECT_THAT(made.plan(request).target.cpus, ElementsAre(2));
}

TEST(KeepPlan, EventsAreOpenedOnCpusOfTheirOwn) {
  const KeepPlan plan =
      MadeEvents().plan("event == \"cycles\" && cpu == 1 || event == \"cpu-clock\" && (cpu == 2 || period > 5)",
                        {MadeEvents::cycles(), MadeEvents::cpu_clock()});
  EXPECT_THAT(plan.target.cpus, IsEmpty());
  EXPECT_THAT(kept_event(plan, "cycles")->request.cpus, ElementsAre(1));
  EXPECT_EQ(kept_event(plan, "cycles")->residual, "");
  EXPECT_THAT(kept_event(plan, "cpu-clock:u")->request.cpus, IsEmpty());
  EXPECT_EQ(kept_event(plan, "cpu-clock:u")->residual, "cpu == 2 || period > 5");
}

TEST(KeepPlan, ThreadsThatRunAreRecordedAlone) {
  const MadeEvents made;
  const KeepPlan threads = made.plan("tid in {7, 8} && period > 5", {MadeEvents::cycles()});
  EXPECT_FALSE(threads.target.system_wide);
  EXPECT_THAT(threads.target.threads, ElementsAre(7, 8));
  EXPECT_FALSE(threads.target.inherit);
  const KeepPlan process = made.plan("pid == 7", {MadeEvents::cycles()});
  EXPECT_FALSE(process.target.system_wide);
  EXPECT_THAT(process.target.processes, ElementsAre(7));
  EXPECT_TRUE(process.target.inherit);
  EXPECT_EQ(process.events[0].residual, "pid == 7");  // children have other numbers
}

TEST(KeepPlan, ThreadsAreNotNarrowedWhereThatCouldDropSamples) {
  const MadeEvents made;
  const auto is_system_wide = [&](const std::string& expression, EventRequest event) {
    return made.plan(expression, {std::move(event)}).target.system_wide;
  };
  EXPECT_TRUE(is_system_wide("pid == 9", MadeEvents::cycles()));  // the number may be given to a process later
  EXPECT_TRUE(is_system_wide("pid in {7, 9}", MadeEvents::cycles()));
  EXPECT_TRUE(is_system_wide("pid == 7 || period > 5", MadeEvents::cycles()));
  EXPECT_TRUE(is_system_wide("tid == 0", MadeEvents::cycles()));  // 0 is the caller of perf_event_open()
  EXPECT_TRUE(is_system_wide("pid != 7", MadeEvents::cycles()));
  EXPECT_TRUE(is_system_wide("pid == 7", MadeEvents::event("uncore_imc/data_reads/", 17, 1)));
  // A child of process 7 may get the number 8.
  KeepRequest request = made.request("pid == 8", {MadeEvents::cycles()});
  request.target = {};
  request.target.processes = {7};
  EXPECT_THAT(made.plan(request).target.processes, ElementsAre(7));
}

TEST(KeepPlan, OneCgroupIsRecordedAlone) {
  const MadeEvents made;
  const KeepPlan plan = made.plan("cgroup == \"/a/b\" && period > 5", {MadeEvents::cycles(), MadeEvents::cpu_clock()});
  EXPECT_THAT(plan.target.cgroups, ElementsAre("/a/b"));
  EXPECT_EQ(plan.events[0].residual, "period > 5 && cgroup == \"/a/b\"");  // the kernel counts cgroups below, too
  for (const char* const other : {"cgroup == \"b\"", "cgroup == \"/a/*\"", "cgroup != \"/a\"",
                                  "cgroup in {\"/a\", \"/b\"}", "cgroup == \"/a\" || cpu == 1"}) {
    EXPECT_THAT(made.plan(other, {MadeEvents::cycles()}).target.cgroups, IsEmpty()) << other;
  }
}

TEST(KeepPlan, ModesOfTheCpuAreExcluded) {
  const MadeEvents made;
  const auto flags = [&](const std::string& expression, EventRequest event) {
    const reader::EventAttr attr = made.plan(expression, {std::move(event)}).events[0].request.attr;
    return std::string(attr.exclude_user() ? "u" : "") + (attr.exclude_kernel() ? "k" : "") +
           (attr.exclude_hv() ? "h" : "");
  };
  EXPECT_EQ(flags("cpumode == user", MadeEvents::cycles()), "kh");
  EXPECT_EQ(flags("cpumode == kernel", MadeEvents::cycles()), "uh");
  EXPECT_EQ(flags("cpumode in {kernel, hypervisor}", MadeEvents::cycles()), "u");
  EXPECT_EQ(flags("cpumode == user && cpu == 3", MadeEvents::cpu_clock()), "kh");
  EXPECT_EQ(flags("cpumode in {user, kernel}", MadeEvents::cycles()), "");
  EXPECT_EQ(flags("cpumode != kernel", MadeEvents::cycles()), "");  // kernels of guests
  EXPECT_EQ(flags("cpumode == user || cpu == 3", MadeEvents::cycles()), "");
  EXPECT_EQ(flags("cpumode == user", MadeEvents::event("mem:0x1000:w", 5, 0)), "");
  EXPECT_EQ(flags("cpumode == user", MadeEvents::event("ibs_op//", 11, 0)), "");
  EventRequest user_only = MadeEvents::cycles();
  user_only.attr.set(reader::attr_flag::exclude_kernel);
  EXPECT_EQ(flags("cpumode == kernel", user_only), "k");
  EXPECT_EQ(made.plan("cpumode == user", {MadeEvents::cycles()}).events[0].residual, "cpumode == user");
}

TEST(KeepPlan, AGroupIsOpenedAsAWhole) {
  const MadeEvents made;
  KeepRequest request = made.request("event == \"cycles\" && cpu == 1",
                                     {MadeEvents::kinds(), MadeEvents::cpu_clock(), MadeEvents::cycles()});
  request.events[2].leader = 1;
  const KeepPlan plan = made.plan(request);
  ASSERT_EQ(plan.events.size(), 2U);
  EXPECT_TRUE(plan.events[0].drops_all);
  EXPECT_EQ(plan.events[0].asked, 1U);
  EXPECT_FALSE(plan.events[1].drops_all);
  EXPECT_EQ(plan.events[0].request.leader, 0U);
  EXPECT_EQ(plan.events[1].request.leader, 0U);
  EXPECT_THAT(plan.target.cpus, ElementsAre(1));
}

TEST(KeepPlan, SamplesOfALeaderThatHaveTheCountsOfAllMembersAreKept) {
  const MadeEvents made;
  KeepRequest request =
      made.request("event == \"cycles\" && period > 5", {MadeEvents::cycles(), MadeEvents::cpu_clock()});
  request.events[1].leader = 0;
  request.events[0].sampled_by_leader = request.events[1].sampled_by_leader = true;
  const KeepPlan plan = made.plan(request);
  ASSERT_EQ(plan.events.size(), 2U);
  EXPECT_EQ(plan.events[0].residual, "");
  EXPECT_FALSE(plan.events[1].drops_all);
}

TEST(KeepPlan, SamplesHaveTheFieldsThatTheRecorderNeeds) {
  const MadeEvents made;
  const auto fields = [&](const std::string& expression) {
    return made.plan(expression, {MadeEvents::sched_switch()}).events[0].sample_fields;
  };
  EXPECT_EQ(fields("cpu == 3"), 0U);  // by opening one CPU
  EXPECT_EQ(fields("cpu == 3 || period > 5"), bit::cpu | bit::period);
  EXPECT_EQ(fields("comm =~ \"x\""), bit::tid | bit::time);
  EXPECT_EQ(fields("prev_pid == next_pid"), bit::raw);
  EXPECT_EQ(fields("weight > 5"), bit::weight);
  EXPECT_EQ(fields("weight > 5 && ins_lat > 5"), bit::weight_struct);
  EXPECT_EQ(fields("mem.op == load && addr > 5"), bit::data_src | bit::addr);
  EXPECT_EQ(fields("cgroup == \"b\""), bit::cgroup);
  EXPECT_EQ(fields("cpumode == user"), 0U);
}

TEST(KeepPlan, ATracepointWithoutADescriptionIsDecidedByTheRecorder) {
  const MadeEvents made;
  const EventRequest unknown = MadeEvents::event("made:unknown", 2, 901);
  const KeepPlan plan = made.plan("whatever == 5 && cpu == 1", {unknown});
  EXPECT_EQ(plan.events[0].request.filter, "");
  EXPECT_EQ(plan.events[0].residual, "whatever == 5");
}

TEST(KeepPlan, SeveralExpressionsMustAllHold) {
  const MadeEvents made;
  KeepRequest request = made.request("prev_pid == 7 || next_pid == 7", {MadeEvents::sched_switch()});
  request.expressions.push_back({.origin = "--keep", .text = "prev_prio == 5"});
  EXPECT_EQ(made.plan(request).events[0].request.filter, "(prev_pid == 7 || next_pid == 7) && prev_prio == 5");
}

std::string keep_refusal(const std::string& expression) {
  try {
    MadeEvents().plan(expression, {MadeEvents::cycles(), MadeEvents::sched_switch()});
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(KeepPlan, PropertiesThatAreKnownOnlyAfterRecordingAreRefused) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"sym == \"malloc\"", "'sym == \"malloc\"': the recorder does not read symbols"},
      {"cpu == 3 && dso == \"libc.so.6\"", "'dso == \"libc.so.6\"': the recorder does not read symbols"},
      {"srcline > 5", "'srcline > 5': the recorder does not read symbols"},
      {"addr_sym == \"table\"", "'addr_sym == \"table\"': the recorder does not read symbols"},
      {"stack has \"malloc\"", "'stack has': the recorder does not name or unwind stacks"},
      {"leaf == \"malloc\"", "'leaf == \"malloc\"': the recorder does not name or unwind stacks"},
      {"depth > 3", "'depth > 3': the recorder does not name or unwind stacks"},
      {"stack is truncated", "'stack is truncated': the recorder does not name or unwind stacks"},
      {"context == interrupt", "'context == interrupt': the recorder does not name or unwind stacks"},
      {"every(10)", "'every(10)': samples of several CPUs are not recorded in the order of their times"},
      {"pid == 7 && first(10)", "'first(10)': samples of several CPUs"},
      {"within 5ms of (pid == 1)", "'within 5ms of': a window needs samples that come later"},
      {"between (pid == 1) and (pid == 2)", "'between': a window needs samples that come later"},
      {"time >= 10%", "'time >= 10%': the length of the recording is not yet known"},
      {"socket == 0", "'socket == 0': the recorder does not know the topology"},
      {"mem.node == 1", "'mem.node == 1': the recorder does not know which memory"},
      {"call", "'call': only a decoded trace has it"},
      {"ipc > 1", "'ipc > 1': only a decoded trace has it"},
      {"vcpu == 1", "'vcpu == 1': the kernel does not record it"},
  };
  for (const auto& [expression, message] : rows) {
    EXPECT_THAT(keep_refusal(expression), AllOf(HasSubstr(message), HasSubstr("perfsift filter --filter ")))
        << expression;
  }
}

TEST(KeepPlan, WrongNamesAreRefusedWithTheNearestName) {
  EXPECT_THAT(keep_refusal("perid > 3"), HasSubstr("did you mean period?"));
  EXPECT_THAT(keep_refusal("prev_pif == 3"), HasSubstr("did you mean prev_pid?"));
  EXPECT_THAT(keep_refusal("blocked > 500us"), HasSubstr("the intervals of perfsift offcpu do"));
  EXPECT_THAT(keep_refusal("level == 3"),
              HasSubstr("no tracepoint of the recording has one"));  // of another tracepoint
  EXPECT_THAT(keep_refusal("event == \"faults\""), HasSubstr("no sample of any event can be kept"));
}

}  // namespace
}  // namespace perfsift::record
