// Tests perfsift fold from the command line to its output, on recordings and texts made by hand. The expected output
// follows from the input. Names come from a perf map and a kallsyms, which are also made by hand.

#include <csignal>
#include <sstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owned.h"
#include "tests/support/jit_dump.h"
#include "tests/support/paths.h"
#include "tests/support/pprof_bytes.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using reader::RecordType;
using test::Attr;
using test::BytesBuilder;
using test::kernel_mode;
using test::RecordingBuilder;
using test::user_mode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace bit = reader::sample_bit;
namespace context = reader::callchain_context;

using Addresses = std::vector<std::uint64_t>;

constexpr std::uint64_t callchain_sample = bit::ip | bit::tid | bit::time | bit::period | bit::callchain;

// Addresses with names.
constexpr std::uint64_t compile = 0x7f0000000000, run_loop = 0x7f0000000100;
constexpr std::uint64_t do_syscall = 0xffffffff81000100, sys_read = 0xffffffff81000200;
// Code in a missing file.
constexpr std::uint64_t app = 0x400000;

BytesBuilder mapping(std::uint32_t pid, std::uint64_t start, std::uint64_t size, std::uint64_t offset,
                     std::string_view name) {
  return std::move(BytesBuilder().u32(pid).u32(pid).u64(start).u64(size).u64(offset).padded(name));
}

// Two threads of process 7, with code in a file, code generated at run time, and kernel code.
RecordingBuilder& add_threads(RecordingBuilder& in) {
  constexpr std::uint32_t of_kernel = ~0u;
  in.record_at(1, RecordType::mmap,
               mapping(of_kernel, 0xffffffff81000000, 0x10000, 0xffffffff81000000, "[kernel.kallsyms]_text"),
               kernel_mode);
  in.comm_at(2, 7, "app");
  in.record_at(3, RecordType::mmap, mapping(7, app, 0x1000, 0, "/opt/app"), user_mode);
  in.record_at(4, RecordType::mmap, mapping(7, compile, 0x1000, 0, "//anon"), user_mode);
  in.record_at(5, RecordType::fork, in.bytes().u32(7).u32(7).u32(8).u32(7).u64(5));
  return in.record_at(6, RecordType::comm, in.bytes().u32(7).u32(8).padded("worker"));
}

BytesBuilder sample_payload(std::uint32_t tid, std::uint64_t time, std::uint64_t period, const Addresses& chain) {
  BytesBuilder payload;
  payload.u64(chain[1]).u32(7).u32(tid).u64(time).u64(period).u64(chain.size());
  for (const std::uint64_t entry : chain) payload.u64(entry);
  return payload;
}

RecordingBuilder recording(std::uint64_t read_format = 0) {
  const Addresses reading{context::kernel, sys_read + 0x10, do_syscall + 0x20,
                          context::user,   compile + 8,     run_loop + 8};
  Addresses reading_elsewhere = reading;
  reading_elsewhere[1] = sys_read + 0x14;
  RecordingBuilder in;
  in.event({.sample_type = callchain_sample, .read_format = read_format, .flags = test::sample_id_all});
  add_threads(in);
  in.record(RecordType::sample, sample_payload(7, 10, 100, reading), kernel_mode);
  in.record(RecordType::sample, sample_payload(7, 11, 50, reading_elsewhere), kernel_mode);
  in.record(RecordType::sample, sample_payload(8, 12, 7, {context::user, app + 0x123, compile + 8}), user_mode);
  return in;
}

// Two events with different ids, whose names are in the EVENT_DESC feature, and a sample of each, with the periods 10
// and 3.
RecordingBuilder two_events(std::string_view first, std::string_view second) {
  RecordingBuilder in;
  const Attr attr{.sample_type = bit::identifier | callchain_sample};
  in.event(attr, {21}).event(attr, {22});
  BytesBuilder descriptions;
  descriptions.u32(2).u32(64);
  std::uint64_t id = 21;
  for (const std::string_view name : {first, second}) {
    descriptions.u32(1).u32(64).zeros(16).u64(attr.sample_type).zeros(32);
    descriptions.u32(1).u32(static_cast<std::uint32_t>(name.size() + 1)).text(name).u8(0).u64(id++);
  }
  in.feature(reader::Feature::event_description, descriptions);
  in.record(RecordType::comm, in.bytes().u32(7).u32(7).padded("app").u64(21).u32(7).u32(7).u64(1));
  for (const auto& [event, period] : {std::pair{21, 10}, std::pair{22, 3}}) {
    const BytesBuilder payload = sample_payload(7, 10, static_cast<std::uint64_t>(period), {context::user, 0x1000});
    in.record(RecordType::sample, in.bytes().u64(static_cast<std::uint64_t>(event)).bytes(payload.view()), user_mode);
  }
  return in;
}

class Fold : public ::testing::Test {
 protected:
  Fold() { directory_.write("symfs/tmp/perf-7.map", "7f0000000000 100 compile\n7f0000000100 100 run;loop\n"); }

  Outcome fold_files(options::Arguments arguments, const std::vector<std::string>& files) {
    for (const char* naming : {"--symfs", symfs_.c_str(), "--kallsyms", kallsyms_.c_str()}) arguments.push_back(naming);
    arguments.insert(arguments.end(), files.begin(), files.end());
    return run_command("fold", arguments);
  }

  // The output for the recording, without errors.
  std::string folded(const options::Arguments& arguments) {
    const Outcome outcome = fold_files(arguments, {file_});
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.status, done);
    return outcome.out;
  }

  std::string path(const std::string& name) const { return directory_.path() / name; }

  test::TemporaryDirectory directory_;
  std::string symfs_ = path("symfs");
  std::string kallsyms_ = directory_.write("kallsyms",
                                           "ffffffff81000000 T _text\n"
                                           "ffffffff81000100 T do_syscall_64\n"
                                           "ffffffff81000200 T sys_read\n"
                                           "ffffffff81000300 T _etext\n");
  std::string file_ = directory_.write("hand.data", recording().file());
};

TEST_F(Fold, AddsThePeriodsOfStacksThatReadTheSame) {
  EXPECT_EQ(folded({}),
            "app;run:loop;compile;do_syscall_64;sys_read 150\n"
            "worker;compile;[app] 7\n");
}

// A line begins with a frame. prctl(PR_SET_NAME, "") gives a thread such a name. perf script -F tid,… prints no name.
TEST_F(Fold, ThreadsWithoutANameHaveNoFrame) {
  RecordingBuilder in;
  in.event({.sample_type = callchain_sample, .flags = test::sample_id_all});
  add_threads(in).comm_at(8, 7, "");
  in.record(RecordType::sample, sample_payload(7, 10, 7, {context::user, app + 0x123, compile + 8}), user_mode);
  const std::string unnamed = directory_.write("unnamed.data", in.file());
  EXPECT_EQ(fold_files({}, {unnamed}).out, "compile;[app] 7\n");
  EXPECT_EQ(fold_files({"--with-pid"}, {unnamed}).out, "-7;compile;[app] 7\n");
  const std::string text = directory_.write(
      "text", std::string_view("7  1.000001:  5 cycles:\n\t401000 f (/bin/app)\n\n7  1.000002:  3 cycles:\n\n"));
  EXPECT_EQ(fold_files({}, {text}).out, "[no stack] 3\nf 5\n");
}

TEST_F(Fold, WeightSamplesCountsSamples) {
  EXPECT_EQ(folded({"--weight", "samples"}),
            "app;run:loop;compile;do_syscall_64;sys_read 2\n"
            "worker;compile;[app] 1\n");
}

TEST_F(Fold, PidAndTidGoWithTheThreadsName) {
  EXPECT_EQ(folded({"--with-pid"}),
            "app-7;run:loop;compile;do_syscall_64;sys_read 150\n"
            "worker-7;compile;[app] 7\n");
  EXPECT_EQ(folded({"--with-tid"}),
            "app-7/7;run:loop;compile;do_syscall_64;sys_read 150\n"
            "worker-7/8;compile;[app] 7\n");
}

TEST_F(Fold, PidAndTidFilterAsTheyDoEverywhere) {
  for (const char* option : {"--tid", "--tids"}) EXPECT_EQ(folded({option, "8"}), "worker;compile;[app] 7\n");
  for (const char* option : {"--pid", "--pids"}) EXPECT_EQ(folded({"-q", option, "8,9"}), "");
  EXPECT_EQ(folded({"--tid", "8", "--tid", "9"}), "worker;compile;[app] 7\n");
  EXPECT_EQ(folded({"--compat", "flamegraph", "--tid", "8"}), "worker;compile;[app] 7\n");
}

// Samples with cgroup ids, one of which has a name.
RecordingBuilder recording_with_cgroups() {
  RecordingBuilder in;
  in.event({.sample_type = callchain_sample | bit::cgroup, .flags = test::sample_id_all});
  add_threads(in);
  in.record_at(7, RecordType::cgroup, in.bytes().u64(70).padded("/system.slice/a;b"));
  for (const auto& [tid, cgroup] : {std::pair{7u, 70u}, {8u, 70u}, {7u, 71u}, {7u, 70u}}) {
    BytesBuilder payload = sample_payload(tid, 10, 1, {context::user, compile + 8});
    in.record(RecordType::sample, payload.u64(cgroup), user_mode);
  }
  return in;
}

TEST_F(Fold, WithCgroupBeginsWithTheControlGroup) {
  const std::string file = directory_.write("cgroups.data", recording_with_cgroups().file());
  const std::string expected =
      "/system.slice/a:b;app;compile 2\n"
      "/system.slice/a:b;worker;compile 1\n"
      "[unknown cgroup];app;compile 1\n";
  for (const char* jobs : {"1", "3"}) EXPECT_EQ(fold_files({"--with-cgroup", "-j", jobs}, {file}).out, expected);
  EXPECT_EQ(fold_files({"--with-cgroup", "--no-comm", "--max-depth", "1"}, {file}).out,
            "/system.slice/a:b;compile 3\n[unknown cgroup];compile 1\n");
  EXPECT_EQ(fold_files({"--with-cgroup", "--with-tid"}, {file}).out,
            "/system.slice/a:b;app-7/7;compile 2\n"
            "/system.slice/a:b;worker-7/8;compile 1\n"
            "[unknown cgroup];app-7/7;compile 1\n");
}

TEST_F(Fold, WithCgroupTellsWhereNoneWasRecorded) {
  EXPECT_THAT(fold_files({"--with-cgroup"}, {file_}).err,
              HasSubstr("no control groups were recorded (perf record --all-cgroups does)"));
  const Outcome text = fold_files({"--with-cgroup"}, {directory_.write("folded", "a;b 3\n")});
  EXPECT_EQ(text.status, wrong_usage);
  EXPECT_THAT(text.err, HasSubstr("--with-cgroup needs recordings"));
}

TEST_F(Fold, ADirectoryStandsForTheRecordingsBelowIt) {
  directory_.write("many/a.data", recording().file());
  directory_.write("many/below/b.data", recording().file());
  directory_.write("many/notes.txt", "no recording");
  const Outcome outcome = fold_files({}, {path("many")});
  EXPECT_EQ(outcome.out,
            "app;run:loop;compile;do_syscall_64;sys_read 300\n"
            "worker;compile;[app] 14\n");
  EXPECT_EQ(outcome.err, "perfsift: warning: " + path("many/notes.txt") + ": skipped: not a recording\n");
  EXPECT_EQ(outcome.status, done);

  directory_.write("none/notes.txt", "no recording");
  const Outcome none = fold_files({}, {path("none")});
  EXPECT_EQ(none.status, input_unusable);
  EXPECT_EQ(none.err, "perfsift: " + path("none") + ": there are no recordings in this directory\n");
}

TEST_F(Fold, AnInputWithoutASingleByteIsSaidToBeEmpty) {
  const Outcome outcome = fold_files({}, {directory_.write("empty", "")});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_EQ(outcome.err, "perfsift: " + path("empty") +
                             ": the file is empty: was perf record stopped before it wrote anything? "
                             "Record again\n");
}

TEST_F(Fold, NoCommBeginsWithTheOutermostFunction) {
  EXPECT_EQ(folded({"--no-comm"}),
            "compile;[app] 7\n"
            "run:loop;compile;do_syscall_64;sys_read 150\n");
}

TEST_F(Fold, AnnotateMarksTheKindsThatAreAskedFor) {
  EXPECT_EQ(folded({"--annotate", "kernel"}),
            "app;run:loop;compile;do_syscall_64_[k];sys_read_[k] 150\n"
            "worker;compile;[app] 7\n");
  EXPECT_EQ(folded({"--annotate", "jit"}),
            "app;run:loop_[j];compile_[j];do_syscall_64;sys_read 150\n"
            "worker;compile_[j];[app] 7\n");
  EXPECT_EQ(folded({"--annotate", "kernel,jit,inline"}),
            "app;run:loop_[j];compile_[j];do_syscall_64_[k];sys_read_[k] 150\n"
            "worker;compile_[j];[app] 7\n");
  EXPECT_EQ(folded({"--annotate", "all"}), folded({"--annotate", "kernel,jit,inline"}));
}

TEST_F(Fold, AddressesTellWhereInTheFileAnUnnamedFrameIs) {
  EXPECT_THAT(folded({"--addresses"}), HasSubstr("worker;compile;[app+0x123] 7\n"));
}

TEST_F(Fold, MaxDepthKeepsTheFramesNextToTheRoot) {
  EXPECT_EQ(folded({"--max-depth", "2"}),
            "app;run:loop;compile 150\n"
            "worker;compile;[app] 7\n");
}

TEST_F(Fold, OnePartOfTheStacksLeavesOutThoseWithoutIt) {
  EXPECT_EQ(folded({"--kernel-only"}), "app;do_syscall_64;sys_read 150\n");
  EXPECT_EQ(folded({"--user-only"}),
            "app;run:loop;compile 150\n"
            "worker;compile;[app] 7\n");
}

TEST_F(Fold, TheDelimiterStandsOnlyWhereBothPartsAre) {
  EXPECT_EQ(folded({"--delimiter"}),
            "app;run:loop;compile;-;do_syscall_64;sys_read 150\n"
            "worker;compile;[app] 7\n");
  EXPECT_THAT(folded({"--delimiter=[kernel]"}), HasSubstr("compile;[kernel];do_syscall_64"));
}

TEST_F(Fold, TheWordBehindTheDelimiterIsAFile) {
  const std::string other = directory_.write("other.folded", "app;main 1\n");
  EXPECT_EQ(fold_files({"--delimiter", other}, {}).out, "app;main 1\n");
}

TEST_F(Fold, SeveralFilesAreAddedUp) {
  const std::string other = directory_.write("other.folded", "worker;compile;[app] 3\napp;main 1\n");
  EXPECT_EQ(fold_files({"--event", "cpu-clock"}, {file_, file_}).out,
            "app;run:loop;compile;do_syscall_64;sys_read 300\n"
            "worker;compile;[app] 14\n");
  EXPECT_EQ(fold_files({}, {other, other, other}).out,
            "app;main 3\n"
            "worker;compile;[app] 9\n");
}

TEST_F(Fold, TheSameBytesWithAnyNumberOfThreadsEveryTime) {
  std::vector<std::string> files;
  for (int i = 0; i < 9; ++i) {
    const std::string stacks = "app;main;f" + std::to_string(i) + " 2\napp;main;all 1\n";
    files.push_back(directory_.write(std::to_string(i) + ".folded", stacks));
  }
  const std::string expected =
      "app;main;all 9\napp;main;f0 2\napp;main;f1 2\napp;main;f2 2\napp;main;f3 2\napp;main;f4 2\n"
      "app;main;f5 2\napp;main;f6 2\napp;main;f7 2\napp;main;f8 2\n";
  for (int run = 0; run < 20; ++run) {
    for (const char* jobs : {"-j1", "-j2", "-j4"}) ASSERT_EQ(fold_files({jobs}, files).out, expected) << jobs;
  }
}

TEST_F(Fold, ARecordingOfSeveralThreadsGivesTheSameBytesWithAnyNumberOfThemAndAllSamples) {
  const std::string data = test::source_path("testdata/");
  const options::Arguments demo{"--symfs", data + "symfs", data + "demo.data", "--weight", "samples"};
  const auto with = [&](options::Arguments more) {
    more.insert(more.end(), demo.begin(), demo.end());
    return run_command("fold", more);
  };
  const Outcome once = with({"-j1"});
  EXPECT_EQ(once.status, done);
  for (int run = 0; run < 20; ++run) {
    ASSERT_EQ(with({"-j2"}).out, once.out);
    ASSERT_EQ(with({"-j4"}).out, once.out);
  }
  // perf report -i demo.data --stats prints: SAMPLE events: 563
  std::istringstream lines(once.out);
  std::uint64_t samples = 0;
  for (std::string line; std::getline(lines, line);) samples += std::stoull(line.substr(line.rfind(' ')));
  EXPECT_EQ(samples, 563u);
}

TEST_F(Fold, TwoEventsAreNeverAddedUp) {
  const std::string file = directory_.write("two.data", two_events("cycles:u", "instructions:u").file());
  const Outcome first = fold_files({}, {file});
  EXPECT_EQ(first.out, "app;[unknown] 10\n");
  EXPECT_EQ(first.err,
            "perfsift: warning: " + file +
                ": shows cycles:u, and not instructions:u, which cannot be added to it: --event chooses, and "
                "--event '*' shows all\n");
  EXPECT_EQ(fold_files({"-q"}, {file}).err, "");
  EXPECT_EQ(fold_files({"-e", "*"}, {file}).out,
            "cycles:u;app;[unknown] 10\n"
            "instructions:u;app;[unknown] 3\n");
  EXPECT_EQ(fold_files({"--event", "instructions"}, {file}).out, "app;[unknown] 3\n");
  EXPECT_EQ(fold_files({"-e", "cyc*", "-e", "instructions:u"}, {file}).out,
            "cycles:u;app;[unknown] 10\n"
            "instructions:u;app;[unknown] 3\n");
}

// The order of a recording's events is the order in its header, independent of their names and numbers.
TEST_F(Fold, TheMostFrequentEventOfTextIsShown) {
  const std::string fault = "app 7/7 [000] 1.000000: 1 page-faults: \n\t1 start (/bin/app)\n\n",
                    clock = "app 7/7 [000] 2.000000: 1 cpu-clock: \n\t1 work (/bin/app)\n\n";
  const std::string two = directory_.write("two.txt", std::string_view(fault + clock)),
                    three = directory_.write("three.txt", std::string_view(fault + clock + clock));
  EXPECT_EQ(fold_files({"-q"}, {three}).out, "app;work 2\n");
  EXPECT_EQ(fold_files({"-q"}, {two}).out, "app;start 1\n") << "of equal ones, the first";
  EXPECT_EQ(fold_files({"--event", "page-faults"}, {three}).out, "app;start 1\n");
}

TEST_F(Fold, TheFirstEventOfARecordingIsShown) {
  const std::string file = directory_.write("two.data", two_events("instructions:u", "cycles:u").file());
  EXPECT_EQ(fold_files({"-q"}, {file}).out, "app;[unknown] 10\n");
  EXPECT_EQ(fold_files({"-q", "-e", "cycles"}, {file}).out, "app;[unknown] 3\n");
}

TEST_F(Fold, EventsThatCanBeAddedUpAreSideBySide) {
  const std::string modes = directory_.write("modes.data", two_events("cycles:u", "cycles:k").file());
  EXPECT_EQ(fold_files({}, {modes}).out,
            "cycles:k;app;[unknown] 3\n"
            "cycles:u;app;[unknown] 10\n");
  EXPECT_EQ(fold_files({}, {modes}).err, "");
  const std::string tracepoints =
      directory_.write("trace.data", two_events("sched:sched_switch", "syscalls:sys_enter_read").file());
  EXPECT_EQ(fold_files({}, {tracepoints}).out,
            "sched:sched_switch;app;[unknown] 10\n"
            "syscalls:sys_enter_read;app;[unknown] 3\n");
}

// The sums of a heap profile are views of the same stacks, so each is shown alone. The default is the sample type that
// the profile names, or otherwise, as in pprof, the last type.
TEST_F(Fold, TheDefaultTypeOfAPprofProfileIsShown) {
  test::PprofBytes bytes(std::vector<test::PprofType>{
      {"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}});
  bytes.add("f", {3, 640, 1, 32});
  const std::string file = directory_.write("heap.pb", bytes.bytes());
  EXPECT_EQ(fold_files({}, {file}).out, "main;f 32\n");
  EXPECT_THAT(fold_files({}, {file}).err, HasSubstr("shows inuse_space, and not alloc_space, which"));
  EXPECT_EQ(fold_files({"-q", "-e", "alloc_space"}, {file}).out, "main;f 640\n");
  bytes.set_default_type("alloc_objects");
  EXPECT_EQ(fold_files({"-q"}, {directory_.write("named.pb", bytes.bytes())}).out, "main;f 640\n");
  EXPECT_EQ(fold_files({"-q", "--weight", "samples"}, {directory_.write("named.pb", bytes.bytes())}).out, "main;f 3\n");
}

TEST_F(Fold, CollapsesRecursion) {
  const std::string text = directory_.write("x.folded", "app;main;f;f;f;g 1\napp;main;f;g;f;h 2\napp;main;f;h 4\n");
  EXPECT_EQ(fold_files({"--collapse-recursion"}, {text}).out,
            "app;main;f;g 1\n"
            "app;main;f;g;f;h 2\n"
            "app;main;f;h 4\n");
  EXPECT_EQ(fold_files({"--collapse-recursion=cycles"}, {text}).out,
            "app;main;f;g 1\n"
            "app;main;f;h 6\n");
  EXPECT_EQ(fold_files({"--collapse-recursion=cycles", "--max-depth", "3"}, {text}).out, "app;main;f 7\n");
  EXPECT_EQ(fold_files({"--collapse-recursion=all"}, {text}).err,
            "perfsift: --collapse-recursion all: there are direct and cycles\n");
  EXPECT_EQ(fold_files({"--collapse-recursion", "--compat", "flamegraph"}, {text}).status, wrong_usage);
}

// A thread with the name of a function is not a call, and frames without a name are not a known function.
TEST_F(Fold, OnlyCallsAreRecursion) {
  const std::string text = directory_.write("script.txt",
                                            "main     7 [000]    12.345678:        250 cycles:u: \n"
                                            "\t          401150 work+0x10 (/opt/app)\n"
                                            "\t          401160 [unknown] (/opt/app)\n"
                                            "\t          401150 main+0x20 (/opt/app)\n"
                                            "\t          401170 [unknown] (/opt/app)\n"
                                            "\t          401150 start+0x20 (/opt/app)\n\n");
  EXPECT_EQ(fold_files({"--collapse-recursion=cycles"}, {text}).out, "main;start;[app];main;[app];work 250\n");
}

TEST_F(Fold, TwoEventsOfTwoFilesAreNotAddedUpEither) {
  const std::string file = directory_.write("two.data", two_events("cycles:u", "instructions:u").file());
  const std::string text = directory_.write("plain.folded", "app;[unknown] 5\n");
  EXPECT_EQ(fold_files({"-e", "cycles"}, {file, text}).out,
            "[no event];app;[unknown] 5\n"
            "cycles:u;app;[unknown] 10\n");
}

TEST_F(Fold, TheTwoKindsOfCoresOfAHybridCpuAreOneMeasurement) {
  const std::string file = directory_.write("hybrid.data", two_events("cpu_core/cycles/u", "cpu_atom/cycles/u").file());
  EXPECT_EQ(fold_files({}, {file}).out, "app;[unknown] 13\n");
  EXPECT_EQ(fold_files({"--event", "cycles"}, {file}).out, "app;[unknown] 13\n");
  EXPECT_EQ(fold_files({"--event", "cpu_atom/cycles/u"}, {file}).out, "app;[unknown] 3\n");
}

TEST_F(Fold, AnEventThatIsNotThereIsAMistake) {
  const std::string file = directory_.write("two.data", two_events("cycles:u", "instructions:u").file());
  const Outcome outcome = fold_files({"--event", "cache-misses"}, {file});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "perfsift: --event cache-misses: no such event; there are cycles:u, instructions:u\n");
}

TEST_F(Fold, ReadsTheTextOfPerfScript) {
  // The format of `perf script -F +period` of perf 6.1, with an inlined call, an address without a name, and no empty
  // line after the last sample.
  const std::string text = directory_.write("script.txt",
                                            "app     7 [000]    12.345678:        250 cycles:u: \n"
                                            "\t          401150 leaf+0x10 (inlined)\n"
                                            "\t          401150 root+0x20 (/opt/app)\n"
                                            "\n"
                                            "app     7 [000]    12.345679:        250 cycles:u: \n"
                                            "\tffffffff81000210 sys_read+0x10 ([kernel.kallsyms])\n"
                                            "\t          401160 [unknown] (/opt/app)\n");
  EXPECT_EQ(fold_files({}, {text}).out,
            "app;[app];sys_read 250\n"
            "app;root;leaf 250\n");
  EXPECT_EQ(fold_files({"--annotate", "all", "--weight", "samples"}, {text}).out,
            "app;[app];sys_read_[k] 1\n"
            "app;root;leaf_[i] 1\n");
  EXPECT_EQ(fold_files({"--kernel-only", "--with-tid"}, {text}).out, "app-?/7;sys_read 250\n");
}

TEST_F(Fold, ReadsFoldedStacksAndSaysWhichLinesAreNone) {
  const std::string text = directory_.write("x.folded", "b;c 1\nb 2\nno number here\nb;c 4\n");
  const Outcome outcome = fold_files({}, {text});
  EXPECT_EQ(outcome.out, "b 2\nb;c 5\n");
  EXPECT_EQ(outcome.err,
            "perfsift: warning: " + text + ": 1 lines are no folded stacks, the first is line 3: no number here\n");
}

TEST_F(Fold, TextWithoutEventsHasNoneToChoose) {
  EXPECT_EQ(fold_files({"-e", "cycles"}, {directory_.write("x.folded", "b;c 1\n")}).err,
            "perfsift: --event cycles: no such event; the input names no events\n");
}

// RFC 1952: a header of ten bytes, and data behind it.
TEST_F(Fold, ACompressedFileThatIsCutAtItsStartIsNotEmpty) {
  const Outcome cut = fold_files({}, {directory_.write("cut.gz", std::string("\x1f\x8b\x08\0\0", 5))});
  EXPECT_EQ(cut.status, input_unusable);
  EXPECT_THAT(cut.err, HasSubstr("the gzip data end too early: the file was cut"));
}

TEST_F(Fold, ReadsCompressedInputs) {
  EXPECT_EQ(fold_files({}, {directory_.write("a.gz", test::gzip(recording().file()))}).out, folded({}));
  EXPECT_EQ(fold_files({}, {directory_.write("a.xz", test::xz(recording().pipe()))}).out, folded({}));
}

class FoldWithLosses : public Fold {
 protected:
  static RecordingBuilder lossy() {
    RecordingBuilder in = recording();
    in.record_at(20, RecordType::lost, in.bytes().u64(0).u64(4));
    return std::move(in.record_at(21, RecordType::lost_samples, in.bytes().u64(1)));
  }
  std::string lossy_ = directory_.write("lossy.data", lossy().file());
};

// The total period of 157 in 3 samples gives 52 for each lost sample.
TEST_F(FoldWithLosses, LostFramesCountTheMeanPeriodOfWhatWasNotLost) {
  EXPECT_EQ(fold_files({"--lost-frames", "-q"}, {lossy_}).out,
            "[lost records] 208\n"
            "[lost samples] 52\n"
            "app;run:loop;compile;do_syscall_64;sys_read 150\n"
            "worker;compile;[app] 7\n");
  EXPECT_THAT(fold_files({"--lost-frames", "--weight", "samples"}, {lossy_}).out,
              AllOf(HasSubstr("[lost records] 4\n"), HasSubstr("[lost samples] 1\n")));
}

TEST_F(FoldWithLosses, LostFramesOfSeveralEventsBelongToNoneOfThem) {
  RecordingBuilder in = two_events("cycles:u", "instructions:u");
  in.record(RecordType::lost, in.bytes().u64(0).u64(4).u64(21).u32(7).u32(7).u64(20));
  EXPECT_EQ(fold_files({"--lost-frames", "-q", "-e", "*"}, {directory_.write("two.data", in.file())}).out,
            "[lost];[lost records] 4\n"
            "cycles:u;app;[unknown] 10\n"
            "instructions:u;app;[unknown] 3\n");
}

// perf 6.1 and later ends a recording with LOST_SAMPLES of time 0. It counts the losses of LOST records, and later
// losses.
TEST_F(FoldWithLosses, RecordsThatPerfCountsAgainAtTheEndAreLostOnce) {
  RecordingBuilder in = recording(reader::read_format::lost);
  in.record_at(20, RecordType::lost, in.bytes().u64(0).u64(4));
  in.record_at(0, RecordType::lost_samples, in.bytes().u64(6));
  const std::string file = directory_.write("counted.data", in.file());
  EXPECT_THAT(fold_files({"--lost-frames", "--weight", "samples", "-q"}, {file}).out,
              AllOf(HasSubstr("[lost samples] 6\n"), Not(HasSubstr("[lost records]"))));
  EXPECT_EQ(fold_files({}, {file}).err,
            "perfsift: warning: " + file + ": the kernel dropped 6 records in 1 chunk: the ring buffer was full\n");
}

TEST_F(FoldWithLosses, LossesAreWarnedOfUnlessQuiet) {
  EXPECT_THAT(fold_files({}, {lossy_}).err, AllOf(HasSubstr("the kernel dropped 4 records in 1 chunk"),
                                                  HasSubstr("1 sample lost by the hardware or kernel")));
  EXPECT_EQ(fold_files({"--quiet"}, {lossy_}).err, "");
}

// 1 of 4 samples and 4 of 15 kernel records (26.67 %) are lost. The recording has 11 records: a mapping of the kernel,
// two of the process, two names, a fork, three samples, LOST and LOST_SAMPLES.
TEST_F(FoldWithLosses, MaxLostComparesSamplesAndRecordsEach) {
  EXPECT_EQ(fold_files({"-q", "--max-lost", "26.7"}, {lossy_}).status, done);
  const Outcome outcome = fold_files({"-q", "--max-lost", "25"}, {lossy_});
  EXPECT_EQ(outcome.status, check_failed);
  EXPECT_EQ(outcome.err, "perfsift: 26.67 % of the records were lost (4 of 15), more than --max-lost 25 allows\n");
  EXPECT_THAT(outcome.out, HasSubstr("sys_read 150\n")) << "the result is there all the same";
}

// One of 2 * 4 + 2 frames is [app].
TEST_F(Fold, MaxUnresolvedComparesTheFramesWithoutAName) {
  EXPECT_EQ(fold_files({"--max-unresolved", "10"}, {file_}).status, done);
  const Outcome outcome = fold_files({"--max-unresolved", "9.9"}, {file_});
  EXPECT_EQ(outcome.status, check_failed);
  EXPECT_EQ(outcome.err,
            "perfsift: 10 % of the frames have no name (1 of 10), more than --max-unresolved 9.9 allows\n");
}

TEST_F(Fold, MaxTruncatedComparesTheStacksAsDeepAsTheyCanBe) {
  constexpr std::size_t deepest = 127;  // the default of kernel.perf_event_max_stack
  RecordingBuilder in = recording();
  Addresses chain{context::user};
  chain.resize(1 + deepest, compile + 8);
  in.record(RecordType::sample, sample_payload(7, 15, 1, chain), user_mode);
  const std::string file = directory_.write("deep.data", in.file());
  EXPECT_EQ(fold_files({"--max-truncated", "25"}, {file}).status, done);
  EXPECT_EQ(fold_files({"--max-truncated", "24"}, {file}).status, check_failed);
}

TEST_F(Fold, BudgetsHoldForFlamegraphsTextToo) {
  EXPECT_EQ(fold_files({"--compat", "flamegraph", "--max-unresolved", "10"}, {file_}).status, done);
  EXPECT_EQ(fold_files({"--compat", "flamegraph", "--max-unresolved", "9.9"}, {file_}).status, check_failed);
}

TEST_F(Fold, ABudgetThatTextCannotKeepIsRefused) {
  const std::string text = directory_.write("x.folded", "b;c 1\n");
  const Outcome outcome = fold_files({"--max-lost", "1"}, {text});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr(text + ": is text"));
}

TEST_F(Fold, UnresolvedSaysWhyAndWhere) {
  EXPECT_THAT(fold_files({"--unresolved"}, {file_}).err,
              AllOf(HasSubstr("1 frame, 10 %"), HasSubstr("/opt/app"), HasSubstr("  -> ")));
}

TEST_F(Fold, AJitdumpOfAnotherUserIsIgnoredAloud) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make files of others";
  constexpr uid_t somebody = 65534;
  const std::string dump =
      directory_.write("jit-7.dump", test::JitDumpBuilder().load(1, compile, 0x100, 1, "jitted").view());
  ASSERT_EQ(chown(dump.c_str(), somebody, somebody), 0);
  RecordingBuilder in;
  in.event({.sample_type = callchain_sample, .flags = test::sample_id_all});
  in.record_at(1, RecordType::mmap, mapping(7, 0x10000, 0x1000, 0, dump), user_mode);
  add_threads(in);
  in.record(RecordType::sample, sample_payload(7, 10, 100, {context::user, compile + 8}), user_mode);
  const std::string file = directory_.write("jit.data", in.file());

  const Outcome ignored = run_command("fold", {"--no-cache", "--unresolved", file});
  EXPECT_THAT(ignored.err, HasSubstr("warning: " + dump + ": not owned by the current user, root or the process"));
  EXPECT_THAT(ignored.err, HasSubstr("the jitdump or perf map is another user's, and was not read: 1 frame, 100 %"));
  const Outcome forced = run_command("fold", {"--no-cache", "-f", file});
  EXPECT_EQ(forced.err, "");
  EXPECT_EQ(forced.out, "app;jitted 100\n");
}

TEST_F(Fold, ADamagedRecordingGivesWhatIsWhole) {
  std::vector<std::byte> cut = recording().file();
  cut.resize(cut.size() - 8);  // cuts the last sample
  const Outcome outcome = fold_files({}, {directory_.write("cut.data", cut)});
  EXPECT_EQ(outcome.status, partly_read);
  EXPECT_EQ(outcome.out, "app;run:loop;compile;do_syscall_64;sys_read 150\n");
  EXPECT_THAT(outcome.err, HasSubstr("bytes not read"));
}

// Branches from --call-graph lbr, in the processor's order. The first instruction of run;loop called compile, and the
// last instruction of compile called another part of compile.
constexpr std::uint64_t branch_words[] = {2, compile + 0xff, compile + 0x10, 0, run_loop, compile, 0};

std::vector<std::byte> with_branch_calls(const Addresses& chain, std::uint64_t ip, std::uint16_t mode) {
  RecordingBuilder in;
  in.event({.sample_type = callchain_sample | bit::branch_stack,
            .flags = test::sample_id_all,
            .branch_sample_type = reader::branch_sample::call_stack});
  add_threads(in);
  BytesBuilder payload;
  payload.u64(ip).u32(7).u32(7).u64(10).u64(5).u64(chain.size());
  for (const std::uint64_t entry : chain) payload.u64(entry);
  for (const std::uint64_t word : branch_words) payload.u64(word);
  return in.record(RecordType::sample, payload, mode).file();
}

// The callers by frame pointers, which are [app], are not used. The kernel was entered from [app], to which compile has
// jumped. The processor records calls, but not jumps.
TEST_F(Fold, CallsThatTheProcessorRecordedReplaceTheUsersCallers) {
  const auto in_kernel =
      with_branch_calls({context::kernel, sys_read, context::user, app + 4, app + 8}, sys_read, kernel_mode);
  EXPECT_EQ(fold_files({}, {directory_.write("lbr.data", in_kernel)}).out, "app;run:loop;compile;[app];sys_read 5\n");
}

// perf 7.2 has the same output. The ip of a precise event differs from its callchain.
TEST_F(Fold, TheUsersLeafOnTopOfRecordedCallsIsTheInstructionThatRan) {
  const auto in_user = with_branch_calls({context::user, compile, app + 8}, app + 4, user_mode);
  EXPECT_EQ(fold_files({}, {directory_.write("lbr.data", in_user)}).out, "app;run:loop;compile;[app] 5\n");
}

TEST_F(Fold, WithoutTheUsersLeafTheFunctionThatWasCalledLastIsIt) {
  const auto unread = with_branch_calls({context::kernel, sys_read, context::user}, sys_read, kernel_mode);
  EXPECT_EQ(fold_files({}, {directory_.write("lbr.data", unread)}).out, "app;run:loop;compile;compile;sys_read 5\n");
}

TEST_F(Fold, StacksThatAreNotUnwoundAreTold) {
  RecordingBuilder in;
  in.feature(reader::Feature::arch, BytesBuilder().u32(6).text("s390x").zeros(1));
  in.comm_at(1, 7, "app");
  in.event({.sample_type = callchain_sample | bit::regs_user | bit::stack_user});
  const Outcome outcome = fold_files({}, {directory_.write("dwarf.data", in.file())});
  EXPECT_THAT(outcome.err,
              HasSubstr("user stacks were recorded as memory (--call-graph dwarf), which is not unwound for s390x"));
}

TEST_F(Fold, WrongOptionsAreToldWithTheRightOnes) {
  const std::pair<options::Arguments, std::string> wrong[] = {
      {{"--wieght", "samples"}, "did you mean --weight?"},
      {{"--weight", "time"}, "there are samples and period"},
      {{"--annotate", "kernle"}, "there are kernel, jit, inline, leaf, guess and all"},
      {{"--kernel-only", "--user-only"}, "together leave no frames"},
      {{"--demangle", "some"}, "there are plain, full and raw"},
      {{"--compat", "inferno"}, "there is flamegraph"},
      {{"--compat", "flamegraph", "--no-comm"}, "--compat flamegraph knows"},
      {{"--srcline"}, "needs --compat flamegraph"},
      {{"-j", "0"}, "--jobs 0: a whole number from 1 to 1024 is needed"},
      {{"--jobs", "-1"}, "--jobs -1: a whole number from 1 to 1024 is needed"},
      {{"--max-depth", "-1"}, "a whole number from 0 to 1048576 is needed"},
      {{"--max-lost", "101"}, "a percentage from 0 to 100 is needed"},
  };
  for (const auto& [arguments, message] : wrong) {
    const Outcome outcome = fold_files(arguments, {file_});
    EXPECT_EQ(outcome.status, wrong_usage) << arguments.front();
    EXPECT_EQ(outcome.out, "") << arguments.front();
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }
}

TEST_F(Fold, AnInputThatCannotBeUsedIsNamed) {
  const Outcome outcome = fold_files({}, {path("none")});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_EQ(outcome.err, "perfsift: " + path("none") + ": cannot open: No such file or directory\n");
}

TEST_F(Fold, OneInputThatCannotBeUsedDoesNotLoseTheOthers) {
  const std::string bytes = directory_.write("bytes", std::string_view("\0\1\2\3", 4));
  for (const char* jobs : {"-j1", "-j8"}) {  // files one after another, and each file with all threads
    const Outcome outcome = fold_files({jobs}, {file_, path("none"), file_, bytes});
    EXPECT_EQ(outcome.status, input_unusable);
    EXPECT_THAT(outcome.out, HasSubstr("worker;compile;[app] 14\n"));
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(path("none") + ": cannot open"), HasSubstr(bytes + ": neither")));
  }
}

TEST_F(Fold, ReadsTheFilesOfAList) {
  const std::string list = directory_.write("list", file_ + "\n\n" + file_);
  EXPECT_THAT(fold_files({"--files-from", list}, {}).out, HasSubstr("worker;compile;[app] 14\n"));
  EXPECT_THAT(fold_files({"--files-from", list}, {file_}).out, HasSubstr("worker;compile;[app] 21\n"));
  EXPECT_EQ(fold_files({"--files-from", path("none")}, {}).status, input_unusable);
  EXPECT_EQ(fold_files({"--files-from", directory_.write("empty", "")}, {}).status, wrong_usage);
}

TEST_F(Fold, OutputReplacesAFileOnlyWhenThereIsAResult) {
  const std::string out = directory_.write("out/result", "the old one\n");
  for (const options::Arguments& arguments :
       {options::Arguments{"-o", out}, options::Arguments{"-o", out, "--compat", "flamegraph"}}) {
    EXPECT_EQ(fold_files(arguments, {path("none")}).status, input_unusable);
    EXPECT_EQ(test::content_of(out), "the old one\n");
  }
  EXPECT_EQ(fold_files({"-o", out}, {file_}).out, "");
  EXPECT_EQ(test::content_of(out), folded({}));
}

TEST_F(Fold, AReaderThatHasSeenEnoughIsNoError) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  const auto old_handler = std::signal(SIGPIPE, SIG_IGN);  // as in main()
  const FileDescriptor saved(dup(STDOUT_FILENO)), closed(ends[1]);
  dup2(closed.get(), STDOUT_FILENO);
  const int status = with_errors_told([&] { return run_command(*find_command("fold"), {"--symfs", symfs_, file_}); });
  dup2(saved.get(), STDOUT_FILENO);
  std::signal(SIGPIPE, old_handler);
  EXPECT_EQ(status, done);
}

TEST_F(Fold, AFullDiskIsAnErrorWithItsReason) {
  const Outcome outcome = fold_files({"-o", "/dev/full"}, {file_});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_EQ(outcome.err, "perfsift: /dev/full: cannot write: No space left on device\n");
}

TEST_F(Fold, CompatFlamegraphIsWhatStackcollapsePerfPrints) {
  // The rules of the script: ';' becomes ':', and for a line with one number, which perf script prints, the process is
  // unknown.
  EXPECT_EQ(folded({"--compat", "flamegraph"}),
            "app;run:loop;compile;do_syscall_64;sys_read 150\n"
            "worker;compile;[app] 7\n");
  EXPECT_EQ(folded({"--compat", "flamegraph", "--with-tid", "--annotate", "kernel,jit"}),
            "app-?/7;run:loop_[j];compile_[j];do_syscall_64_[k];sys_read_[k] 150\n"
            "worker-?/8;compile_[j];[app] 7\n");
}

}  // namespace
}  // namespace perfsift::tools
