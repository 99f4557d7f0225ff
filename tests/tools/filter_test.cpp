// Filters in the options of fold, script and explain, on recordings made by hand.
#include <gmock/gmock.h>

#include "tests/support/full_recording.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using reader::RecordType;
using test::BytesBuilder;
using test::kernel_mode;
using test::RecordingBuilder;
using test::user_mode;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace bit = reader::sample_bit;
namespace context = reader::callchain_context;

constexpr std::uint64_t kernel_start = 0xffffffff81000000, code = 0x400000;

// Thread 7, "app", of process 7: at 100 and 200 in the kernel's sys_read, called by the program. Thread 8, "worker": at
// 300 and 400 in the program. All samples except the last are on CPU 0.
RecordingBuilder two_threads() {
  RecordingBuilder in;
  in.event({.sample_type = bit::ip | bit::tid | bit::time | bit::cpu | bit::callchain, .flags = test::sample_id_all});
  const auto trailer = [](std::uint64_t time) { return BytesBuilder().u32(7).u32(7).u64(time).u32(0).u32(0); };
  const auto add = [&](std::uint64_t time, RecordType type, BytesBuilder payload, std::uint16_t misc) {
    in.record(type, payload.bytes(trailer(time).view()), misc);
  };
  add(1, RecordType::mmap,
      BytesBuilder().u32(~0u).u32(0).u64(kernel_start).u64(0x10000).u64(kernel_start).padded("[kernel.kallsyms]_text"),
      kernel_mode);
  add(2, RecordType::comm, BytesBuilder().u32(7).u32(7).padded("app"), 0);
  add(3, RecordType::mmap, BytesBuilder().u32(7).u32(7).u64(code).u64(0x1000).u64(0).padded("/opt/app"), user_mode);
  add(4, RecordType::comm, BytesBuilder().u32(7).u32(8).padded("worker"), 0);
  const auto sample = [&](std::uint64_t time, std::uint32_t tid, std::uint32_t cpu, std::vector<std::uint64_t> chain,
                          std::uint16_t mode) {
    BytesBuilder payload;
    payload.u64(chain[1]).u32(7).u32(tid).u64(time).u32(cpu).u32(0).u64(chain.size());
    for (const std::uint64_t entry : chain) payload.u64(entry);
    in.record(RecordType::sample, payload, mode);
  };
  const std::vector<std::uint64_t> reading{context::kernel, kernel_start + 0x210, context::user, code + 0x10};
  const std::vector<std::uint64_t> working{context::user, code + 0x20, code + 0x30};
  sample(100, 7, 0, reading, kernel_mode);
  sample(200, 7, 0, reading, kernel_mode);
  sample(300, 8, 0, working, user_mode);
  sample(400, 8, 1, working, user_mode);
  return in;
}

class FilterTest : public ::testing::Test {
 protected:
  options::Arguments with(options::Arguments arguments) const {
    const options::Arguments common = {"-q", "--kallsyms", kallsyms_, file_};
    arguments.insert(arguments.end(), common.begin(), common.end());
    return arguments;
  }
  // The number of samples that a command keeps.
  std::string folded(options::Arguments arguments) const {
    const Outcome outcome = run_command("fold", with(std::move(arguments)));
    return outcome.out + outcome.err;
  }
  // The times of the samples that script keeps.
  std::string times(options::Arguments arguments) const {
    for (const char* more : {"--ns", "-F", "time", "-G"}) arguments.emplace_back(more);
    const Outcome outcome = run_command("script", with(std::move(arguments)));
    std::string found;
    for (const char c : outcome.out) {
      if (c != ' ' && c != ':') found += c == '\n' ? ' ' : c;
    }
    return found + outcome.err;
  }
  static std::string of(std::vector<int> nanoseconds) {
    std::string text;
    for (const int time : nanoseconds) text += "0.000000" + std::to_string(time) + " ";
    return text;
  }

  test::TemporaryDirectory directory_;
  std::string kallsyms_ = directory_.write(
      "kallsyms", "ffffffff81000000 T _text\nffffffff81000200 T sys_read\nffffffff81000300 T sys_write\n");
  std::string file_ = directory_.write("perf.data", two_threads().file());
};

TEST_F(FilterTest, ScriptPrintsWhatIsKept) {
  EXPECT_EQ(times({}), of({100, 200, 300, 400}));
  EXPECT_EQ(times({"--filter", "comm == \"worker\""}), of({300, 400}));
  EXPECT_EQ(times({"--filter", "sym == \"sys_read\" && dso == \"[kernel.kallsyms]\""}), of({100, 200}));
  EXPECT_EQ(times({"--filter", "cpumode == user and symoff != 3"}), of({}));
  EXPECT_EQ(times({"--filter", "cpumode == user, dso == \"app\""}), of({300, 400}));
  EXPECT_EQ(times({"--filter", "symoff == 0x10"}), of({100, 200}));
}

TEST_F(FilterTest, SeveralMustAllHold) {
  EXPECT_EQ(times({"--filter", "tid == 8", "--filter", "cpu == 1"}), of({400}));
  EXPECT_EQ(times({"--filter", "tid == 8", "-C", "0"}), of({300}));
  EXPECT_EQ(times({"--comms", "app,worker", "--tid", "7,9", "--time", ",0.0000001"}), of({100}));
}

TEST_F(FilterTest, AFileMayHoldTheExpression) {
  const std::string file = directory_.write("filter", "# which thread\ntid == 8\n&& cpu == 1  # and where\n");
  EXPECT_EQ(times({"--filter-file", file}), of({400}));
  EXPECT_THAT(times({"--filter-file", "/nowhere"}), HasSubstr("/nowhere: cannot read: No such file"));
  EXPECT_THAT(times({"--filter-file", "/"}), HasSubstr("/: cannot read: Is a directory"));
  const std::string wrong = directory_.write("wrong", "tid == 8\n&& cpu == x\n");
  EXPECT_THAT(times({"--filter-file", wrong}), HasSubstr(wrong + ":2: 'x'"));
}

TEST_F(FilterTest, SharesAreOfTheTimeFromTheFirstToTheLastSample) {
  EXPECT_EQ(times({"--time", "50%/1"}), of({100, 200}));
  EXPECT_EQ(times({"--time", "50%/2"}), of({300, 400}));
  EXPECT_EQ(times({"--time", "0%-10%,90%-100%"}), of({100, 400}));
}

TEST_F(FilterTest, StacksAreAskedFrameByFrame) {
  EXPECT_EQ(times({"--filter", "stack has \"sys_*\""}), of({100, 200}));
  EXPECT_EQ(times({"--filter", "stack has (ip == 0x400030)"}), of({300, 400}));
  EXPECT_EQ(times({"--filter", "stack has (cpumode == user && dso == \"app\") && stack has (cpumode == kernel)"}),
            of({100, 200}));
  EXPECT_EQ(times({"--filter", "leaf == \"sys_read\" && caller.dso == \"/opt/app\" && depth == 2"}), of({100, 200}));
}

TEST_F(FilterTest, WindowsAreFoundBeforeTheyAreUsed) {
  EXPECT_EQ(times({"--filter", "within 100ns of (cpu == 1)"}), of({300, 400}));
  EXPECT_EQ(times({"--filter", "between (time == 200ns) and (time == 300ns)"}), of({200, 300}));
  EXPECT_EQ(folded({"--no-comm", "--filter", "within 100ns of (cpu == 1)", "-j", "2"}), "[app];[app] 2\n");
}

TEST_F(FilterTest, FoldCountsWhatIsKept) {
  EXPECT_EQ(folded({"--filter", "tid == 7"}), "app;[app];sys_read 2\n");
  EXPECT_EQ(folded({"--tids", "8", "--pids", "7", "-C", "1"}), "worker;[app];[app] 1\n");
  EXPECT_EQ(folded({"--filter", "tid == 9"}), "");
}

TEST_F(FilterTest, FoldCountsInTheOrderOfTimesWhereThatMatters) {
  EXPECT_EQ(folded({"--filter", "first(3)", "-j", "4"}), "app;[app];sys_read 2\nworker;[app];[app] 1\n");
  EXPECT_EQ(folded({"--filter", "every(4)", "-j", "4"}), "worker;[app];[app] 1\n");
}

TEST_F(FilterTest, FoldForFlamegraphFiltersToo) {
  EXPECT_EQ(folded({"--compat", "flamegraph", "--filter", "tid == 8 && cpu == 0"}), "worker;[app];[app] 1\n");
}

TEST_F(FilterTest, SamplesAreFilteredInRecordingsOnly) {
  const std::string text = directory_.write("folded", "a;b 3\n");
  for (const options::Arguments& options : {options::Arguments{}, options::Arguments{"--compat", "flamegraph"}}) {
    options::Arguments arguments{"--filter", "tid == 8", text};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run_command("fold", arguments);
    EXPECT_NE(outcome.status, done);
    EXPECT_THAT(outcome.err, StartsWith("perfsift: " + text + ": "));
  }
}

TEST_F(FilterTest, AFieldThatNoTracepointHasIsAMistake) {
  const Outcome outcome = run_command("script", {file_, "--filter", "prev_pid == 3"});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_EQ(outcome.err,
            "perfsift: --filter: 'prev_pid': there is no such field, and no tracepoint of the recording has one\n"
            "  prev_pid == 3\n  ^~~~~~~~\n");
  EXPECT_EQ(run_command("fold", {file_, "--filter", "prev_pid == 3"}).err, outcome.err);
}

// The full recording has the tracepoint sched:x with two samples of {number 42, name "abc"}.
TEST(FilterOfTracepoints, ReadsTheirFields) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.write("full.data", test::full_recording().file());
  const auto kept = [&](const std::string& expression) {
    const Outcome outcome = run_command("script", {"-q", "-F", "event", "-G", "--filter", expression, file});
    std::string events;
    for (const char c : outcome.out) events += c == ' ' ? "" : std::string(1, c);
    return events + outcome.err;
  };
  const std::string both = "sched:x:\nsched:x:\n";
  EXPECT_EQ(kept("number == 42"), both);
  EXPECT_EQ(kept("name == \"abc\" && sched:x.number in 40..50"), both);
  EXPECT_EQ(kept("number > 42 || name =~ \"x\""), "");
  EXPECT_THAT(kept("sched:y.number == 42"), HasSubstr("'number': there is no such field of sched:y"));
  EXPECT_THAT(kept("numbr == 42"), HasSubstr("did you mean number?"));
}

// --- explain ---

TEST(Explain, ShowsTheOrderTheTypesAndTheCosts) {
  const Outcome outcome = run_command("explain", {"sym =~ \"lock\" && (tid == 3 || comm == \"x\") && pid == 1"});
  EXPECT_EQ(outcome.status, done);
  EXPECT_EQ(outcome.out,
            "asked in this order  type    needs\n"
            "and\n"
            "  pid == 1           number  record\n"
            "  or\n"
            "    tid == 3         number  record\n"
            "    comm == \"x\"      name    thread\n"
            "  sym =~ \"lock\"      name    symbol\n"
            "\n"
            "Inside perf, as a dlfilter: works as a whole\n"
            "\n"
            "While recording: there is no perf record --filter that means the same\n");
}

TEST(Explain, TellsWhatPerfCannotDo) {
  EXPECT_THAT(run_command("explain", {"within 5ms of (pid == 1)"}).out,
              HasSubstr("Inside perf, as a dlfilter: does not work, because of\n  within 5ms of: "));
  EXPECT_THAT(run_command("explain", {"time in 10%..20%"}).out,
              HasSubstr("  time in 10%..20%: a dlfilter does not know"));
  EXPECT_THAT(run_command("explain", {"cgroup == \"/a\""}).out, HasSubstr("cgroup_id is known there"));
}

TEST(Explain, TellsWhatPerfCanDoWhileItRecords) {
  EXPECT_THAT(run_command("explain", {"period > 1000 && mem.op == load"}).out,
              EndsWith("While recording, with perf 6.4 or newer:\n"
                       "  perf record --filter 'period > 1000, mem_op == load'\n"));
  EXPECT_THAT(run_command("explain", {"prev_pid == 0 && next_comm == \"rx*\""}).out,
              EndsWith("While recording, behind the -e of the tracepoint:\n"
                       "  perf record --filter 'prev_pid == 0 && next_comm ~ \"rx*\"'\n"));
}

TEST(Explain, TakesWhatLooksLikeAFieldForOneThatIsMisspelt) {
  const Outcome outcome = run_command("explain", {"perid > 3"});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean period?"));
}

TEST(Explain, KnowsExpressionsOverIntervals) {
  EXPECT_EQ(run_command("explain", {"--intervals", "stack has \"lock*\" && blocked > 50us"}).out,
            "asked in this order  type              needs\n"
            "and\n"
            "  blocked > 50us     count             record\n"
            "  stack has          a frame of which  stack\n"
            "    \"lock*\"          name              symbol\n");
  EXPECT_THAT(run_command("explain", {"--intervals", "period > 3"}).err, HasSubstr("intervals do not"));
  const std::string fields = run_command("explain", {"--intervals", "--fields"}).out;
  EXPECT_THAT(fields, HasSubstr("\nrunqueue          count     record    "));
  EXPECT_THAT(fields, ::testing::Not(HasSubstr("\nperiod ")));
}

TEST(Explain, ShowsThePartsWhileRecording) {
  EXPECT_EQ(run_command("explain", {"--record", "period > 5 && cpumode == user"}).out,
            "cycles: kept by the kernel, which counts in user mode only\n"
            "cycles: kept by the recorder, for each sample: period > 5 && cpumode == user\n");
  EXPECT_EQ(run_command("explain",
                        {"--record", "-e", "cpu-clock", "-e", "page-faults", "event == \"cpu-clock\" || period > 5"})
                .out,
            "cpu-clock: all samples are kept\n"
            "page-faults: kept by the recorder, for each sample: period > 5\n");
  const Outcome refused = run_command("explain", {"--record", "sym == \"malloc\""});
  EXPECT_EQ(refused.status, wrong_usage);
  EXPECT_THAT(refused.err, HasSubstr("the recorder does not read symbols"));
}

TEST(Explain, ShowsThePartsOfBpfPrograms) {
  const auto parts = [](const char* expression) { return run_command("explain", {"--in-kernel", expression}).out; };
  EXPECT_EQ(parts("pid == 7 && tid in {8, 9} && comm == \"rx\" && state == \"D\" && cgroup_id == 5 && offcpu > 50us"),
            "decided in the kernel, by a map of processes: pid == 7\n"
            "decided in the kernel, by a map of threads: tid in {8, 9}\n"
            "decided in the kernel, by the states that count: state == \"D\"\n"
            "decided in the kernel, by a map of cgroups: cgroup_id == 5\n"
            "decided in the kernel, by the shortest and the longest wait: offcpu > 50us\n"
            "decided in the kernel, by a map of names: comm == \"rx\"\n");
  EXPECT_EQ(
      parts("blocked >= 50us && stack has (sym == \"lock*\" && (dso == \"x\" || srcline > 3))"),
      "decided here, of each sum and each single wait: blocked >= 50us; waits of less than 50.0 us are left out in "
      "the kernel\n"
      "decided here, of each sum and each single wait: stack has (sym == \"lock*\" && (dso == \"x\" || "
      "srcline > 3))\n");
}

// The programs leave out no wait that the expression keeps.
TEST(Explain, LeavesToTheReaderWhatBpfProgramsCannotDecide) {
  for (const char* const part : {"tid != 8", "tid > 8", "tid == 8 || cpu == 2", "comm == \"rx*\"", "comm != \"rx\"",
                                 "comm == \"a name of 16 byt\"", "state != \"D\"", "state == \"Q\"", "offcpu != 50us",
                                 "offcpu < 0", "cgroup_id in {5, 6}", "cpu == 2", "!(tid == 8)", "wait == lock"}) {
    EXPECT_THAT(run_command("explain", {"--in-kernel", part}).out, StartsWith("decided here, of each sum")) << part;
  }
  EXPECT_THAT(run_command("explain", {"--in-kernel", "tid == 8 && tid < 9"}).out,
              HasSubstr("\ndecided here, of each sum and each single wait: tid < 9\n"));
  EXPECT_THAT(run_command("explain", {"--in-kernel", "tid == 8 && first(3)"}).out, StartsWith("decided here, because"));
  EXPECT_EQ(run_command("explain", {"--in-kernel", "--record", "pid == 7"}).status, wrong_usage);
}

TEST(Explain, ListsTheFields) {
  const Outcome outcome = run_command("explain", {"--fields"});
  EXPECT_THAT(outcome.out, HasSubstr("sym               name      symbol    the function, without parameters\n"));
  EXPECT_EQ(run_command("explain", {}).status, wrong_usage);
}

}  // namespace
}  // namespace perfsift::tools
