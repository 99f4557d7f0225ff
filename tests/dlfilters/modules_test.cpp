// Our modules, loaded and called as by perf of any version.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/dlfilters/fake_perf.h"
#include "tests/support/instrumented.h"
#include "tests/support/temporary.h"

namespace perfsift::dlfilter {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::uint64_t user_context = reader::callchain_context::user;
constexpr std::uint64_t kernel_context = reader::callchain_context::kernel;

// The last word of each line that nm prints.
std::set<std::string> symbols(const std::string& module, const std::string& which) {
  const std::string command = "nm -D " + which + " " + module_path(module);
  std::FILE* const pipe = popen(command.c_str(), "r");
  std::set<std::string> names;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string text(line.data());
    names.insert(text.substr(text.rfind(' ') + 1, text.size() - text.rfind(' ') - 2));
  }
  EXPECT_EQ(pclose(pipe), 0);
  return names;
}

// --- every module ---

class EveryModule : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Modules, EveryModule, ::testing::Values("filter", "fold", "jsonl", "mem", "offcpu"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(EveryModule, ExportsItsEntryPointsAndNothingElse) {
  EXPECT_THAT(
      symbols(GetParam(), "--defined-only"),
      ElementsAre("filter_description", "filter_event", "filter_event_early", "perf_dlfilter_fns", "start", "stop"));
}

// In the instrumented build, whose libraries are unity builds, a module also links functions that it does not use.
#ifndef __SANITIZE_ADDRESS__
TEST_P(EveryModule, TakesNothingFromPerfItself) {
  const auto undefined = symbols(GetParam(), "--undefined-only");
  EXPECT_THAT(undefined, Not(IsEmpty()));
  EXPECT_THAT(undefined,
              Each(Not(::testing::AnyOf(StartsWith("tep_"), StartsWith("trace_seq_"), StartsWith("warning")))));
}
#endif

TEST_P(EveryModule, MayBeStoppedWithoutHavingBeenStarted) {
  FakePerf perf(GetParam(), Abi::v1);
  EXPECT_EQ(perf.stop(), 0);
}

TEST_P(EveryModule, TellsWhatItIs) {
  const FakePerf perf(GetParam(), Abi::v1);
  const char* help = nullptr;
  EXPECT_STRNE(perf.find<FilterDescription>(entry_point::filter_description)(&help), "");
  EXPECT_THAT(help, HasSubstr("perf script --dlfilter perfsift-" + std::string(GetParam()) + ".so"));
  EXPECT_THAT(help, Not(EndsWith("\n")));
}

TEST_P(EveryModule, RefusesToRunWithoutATable) {
  FakePerf perf(GetParam(), Abi::v1, {"pid == 1"});
  perf.set_table({});
  testing::internal::CaptureStderr();
  EXPECT_EQ(perf.start(), -1);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "perfsift-" + std::string(GetParam()) + ".so: perf has left no table of functions; is it older than 5.14?\n");
  EXPECT_EQ(perf.stop(), 0);
}

// --- perfsift-filter.so ---

class FilterModuleInEachPerf : public ::testing::TestWithParam<Abi> {};
INSTANTIATE_TEST_SUITE_P(Abi, FilterModuleInEachPerf, ::testing::Values(Abi::v0, Abi::v1, Abi::v2),
                         [](const auto& instance) { return "v" + std::to_string(static_cast<int>(instance.param)); });

TEST_P(FilterModuleInEachPerf, KeepsWhatAllExpressionsKeep) {
  FakePerf perf("filter", GetParam(), {"pid == 10", "tid in 11..12"});
  ASSERT_EQ(perf.start(), 0);
  EXPECT_EQ(perf.filter(FakeSample().with_thread(10, 11)), kept);
  EXPECT_EQ(perf.filter(FakeSample().with_thread(10, 13)), dropped);
  EXPECT_EQ(perf.filter(FakeSample().with_thread(9, 11)), dropped);
  EXPECT_EQ(perf.stop(), 0);
}

TEST_P(FilterModuleInEachPerf, AsksPerfForNames) {
  FakePerf perf("filter", GetParam(), {"sym == \"work\" && dso == \"program\" && symoff == 4 && comm == \"w*\""});
  perf.places[0x1000] = {.sym = "work", .dso = "/usr/bin/program"};
  perf.places[0x2000] = {.sym = "rest", .dso = "/usr/bin/program"};
  perf.comm = "worker";
  ASSERT_EQ(perf.start(), 0);
  EXPECT_EQ(perf.filter(FakeSample().with_thread(1, 1).with_ip(0x1004)), kept);
  EXPECT_EQ(perf.filter(FakeSample().with_thread(1, 1).with_ip(0x1005)), dropped);
  EXPECT_EQ(perf.filter(FakeSample().with_thread(1, 1).with_ip(0x2004)), dropped);
  perf.stop();
}

TEST_P(FilterModuleInEachPerf, LooksForCallersInTheirCallsAndGivesBackWhatItWasLent) {
  FakePerf perf("filter", GetParam(), {"stack has \"caller\""});
  perf.places[0x1000] = {.sym = "leaf", .dso = "program"};
  perf.places[0x2000] = {.sym = "caller", .dso = "program"};
  perf.places[0x3000] = {.sym = "next", .dso = "program"};
  ASSERT_EQ(perf.start(), 0);
  // The call is the last instruction of `caller`, so its return address is in `next`.
  EXPECT_EQ(perf.filter(FakeSample().with_ip(0x1004).with_stack({user_context, 0x1004, 0x3000})), kept);
  EXPECT_THAT(perf.resolved, ElementsAre(0x1004, 0x2fff));
  const bool lends = GetParam() == Abi::v2;
  EXPECT_THAT(perf.location_sizes, Each(lends ? AddressLocation::size_v2 : AddressLocation::size_v0));
  EXPECT_EQ(perf.cleaned_up, lends ? 2 : 0);
  perf.stop();
}

TEST_P(FilterModuleInEachPerf, ReadsTheGuestOnlyWhereThereIsOne) {
  FakePerf perf("filter", GetParam(), {"vcpu == 2 && machine_pid == 77"});
  ASSERT_EQ(perf.start(), 0);
  FakeSample guest;
  guest.sample.vcpu = 2;
  guest.sample.machine_pid = 77;
  EXPECT_EQ(perf.filter(guest), GetParam() == Abi::v0 ? dropped : kept);
  perf.stop();
}

TEST(FilterModule, DecidesEarlyWhatNeedsNoName) {
  FakePerf perf("filter", Abi::v2, {"pid == 1 && sym == \"work\" || tid == 7"});
  perf.places[0x1000] = {.sym = "work", .dso = "program"};
  ASSERT_EQ(perf.start(), 0);
  EXPECT_EQ(perf.early(FakeSample().with_thread(2, 2).with_ip(0x1000)), dropped);
  EXPECT_EQ(perf.filter(FakeSample().with_thread(2, 7).with_ip(0x1000)), kept);
  EXPECT_EQ(perf.early(FakeSample().with_thread(1, 2).with_ip(0x1000)), kept);
  EXPECT_EQ(perf.resolved_ips, 0);
  EXPECT_EQ(perf.late(FakeSample().with_thread(1, 2).with_ip(0x1000)), kept);
  EXPECT_EQ(perf.resolved_ips, 1);
  perf.stop();
}

TEST(FilterModule, CountsEachSampleOnce) {
  FakePerf perf("filter", Abi::v1, {"sym == \"work\"", "every(2)"});
  perf.places[0x1000] = {.sym = "work", .dso = "program"};
  perf.places[0x2000] = {.sym = "rest", .dso = "program"};
  ASSERT_EQ(perf.start(), 0);
  std::vector<int> answers;
  for (const std::uint64_t ip : {0x1000, 0x2000, 0x1000, 0x1000, 0x2000, 0x1000}) {
    answers.push_back(perf.filter(FakeSample().with_ip(ip)));
  }
  const std::vector<int> every_second_of_work = {dropped, dropped, kept, dropped, dropped, kept};
  EXPECT_EQ(answers, every_second_of_work);
  perf.stop();
}

// perf frees the names of threads that have ended, so the address of a name may get another name.
TEST(FilterModule, IsNotMisledByOtherTextAtTheSamePlace) {
  FakePerf perf("filter", Abi::v1, {"comm =~ \"^a\""});
  char memory[] = "abc";
  perf.comm = memory;
  ASSERT_EQ(perf.start(), 0);
  EXPECT_EQ(perf.filter(FakeSample().with_thread(1, 1)), kept);
  memory[0] = 'x';
  EXPECT_EQ(perf.filter(FakeSample().with_thread(2, 2)), dropped);
  perf.stop();
}

TEST(FilterModule, TakesAnAddressOnlyForWhatItsContextSays) {
  FakePerf perf("filter", Abi::v1, {"stack has (sym == \"work\")"});
  perf.places[0x1000] = {.sym = "work", .dso = "program"};
  ASSERT_EQ(perf.start(), 0);
  EXPECT_EQ(perf.filter(FakeSample().with_stack({user_context, 0x1004})), kept);
  EXPECT_EQ(perf.filter(FakeSample().with_stack({kernel_context, 0x1004})), dropped);
  perf.stop();
}

// The name that perf 7.2 gives a PLT entry.
TEST(FilterModule, NamesHaveNoParameters) {
  FakePerf perf("filter", Abi::v2, {"sym == \"operator delete@plt\" || sym == \"work<int>\""});
  perf.places[0x1000] = {.sym = "operator delete(void*)@plt", .dso = "program"};
  perf.places[0x2000] = {.sym = "void work<int>(int) const", .dso = "program"};
  perf.places[0x3000] = {.sym = "rest(int)@plt", .dso = "program"};
  ASSERT_EQ(perf.start(), 0);
  EXPECT_EQ(perf.filter(FakeSample().with_ip(0x1000)), kept);
  EXPECT_EQ(perf.filter(FakeSample().with_ip(0x2000)), kept);
  EXPECT_EQ(perf.filter(FakeSample().with_ip(0x3000)), dropped);
  perf.stop();
}

TEST(FilterModule, KnowsWhatWasNotRecorded) {
  const auto answer = [](const char* expression, std::uint64_t sample_type) {
    FakePerf perf("filter", Abi::v1, {expression});
    EXPECT_EQ(perf.start(), 0);
    const int result = perf.filter(FakeSample().with_attr(24, sample_type).with_thread(1, 1));
    perf.stop();
    return result;
  };
  EXPECT_EQ(answer("addr == 0", reader::sample_bit::addr), kept);
  EXPECT_EQ(answer("addr == 0", reader::sample_bit::ip), dropped);
  EXPECT_EQ(answer("weight < 5", reader::sample_bit::weight_struct), kept);
  EXPECT_EQ(answer("weight < 5", reader::sample_bit::ip), dropped);
  EXPECT_EQ(answer("cpu < 5", reader::sample_bit::ip), dropped);
  EXPECT_EQ(answer("time > 0", reader::sample_bit::ip), dropped);
}

TEST(FilterModule, GoesOnWhenPerfHasNoNames) {
  FakePerf perf("filter", Abi::v1, {"sym == \"work\" || addr_dso == \"x\" || stack has \"y\" || srcline > 0"});
  perf.set_table(FakePerf::only_arguments_and_attr());
  ASSERT_EQ(perf.start(), 0);
  EXPECT_EQ(perf.filter(FakeSample().with_ip(0x1000).with_stack({user_context, 0x1000})), dropped);
  perf.stop();
}

// The error message; expects that start() failed.
std::string refusal(std::vector<std::string> expressions) {
  FakePerf perf("filter", Abi::v1, std::move(expressions));
  testing::internal::CaptureStderr();
  EXPECT_EQ(perf.start(), -1);
  EXPECT_EQ(perf.stop(), 0);
  return testing::internal::GetCapturedStderr();
}

TEST(FilterModule, SaysWhatIsWrongWithAnExpression) {
  EXPECT_THAT(refusal({"pid === 1"}), StartsWith("perfsift-filter.so: filter: "));
  EXPECT_THAT(refusal({}), StartsWith("perfsift-filter.so: no expression; usage:\nperf script --dlfilter"));
}

TEST(FilterModule, SaysWhatPerfDoesNotTell) {
  EXPECT_EQ(refusal({"time < 20%"}),
            "perfsift-filter.so: shares of the recording: a dlfilter does not know when it begins and ends\n");
  EXPECT_THAT(refusal({"within 5ms of (pid == 1)"}),
              AllOf(StartsWith("perfsift-filter.so: 'within 5ms of': "), HasSubstr("each sample once")));
  EXPECT_EQ(refusal({"symm == \"a\""}),
            "perfsift-filter.so: 'symm': perf does not give a dlfilter the fields of tracepoints; did you mean sym?\n");
  EXPECT_THAT(refusal({"pid == 1 || cgroup == \"/a\""}), HasSubstr("the number of a cgroup"));
}

TEST(FilterModule, RefusesSamplesOfAnUnknownLayoutOnce) {
  FakePerf perf("filter", Abi::v1, {"pid == 1"});
  ASSERT_EQ(perf.start(), 0);
  perf.sample_size = 192;
  testing::internal::CaptureStderr();
  EXPECT_EQ(perf.early(FakeSample()), -1);
  EXPECT_EQ(perf.late(FakeSample()), -1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "perfsift-filter.so: perf shows samples of 192 bytes; they have at least 200 since 5.14\n");
  EXPECT_EQ(perf.stop(), 0);
}

// --- perfsift-fold.so and perfsift-jsonl.so ---

// The output of a module with the options, after perf has shown all samples.
class Collected {
 public:
  Collected(const std::string& module, std::vector<std::string> options)
      : perf(module, Abi::v2, with_output(std::move(options), path())) {
    perf.comm = "worker";
    perf.places[0x1000] = {.sym = "void leaf<int>(int) const", .dso = "/usr/bin/program"};
    perf.places[0x2000] = {.sym = "caller", .dso = "/usr/bin/program"};
    perf.places[0x3000] = {.sym = "next", .dso = "/usr/bin/program"};
    perf.places[0x4000] = {.sym = nullptr, .dso = "/usr/lib/libc.so.6"};
    perf.places[0x5000] = {.sym = "jitted", .dso = "/tmp/perf-12.map"};
    perf.places[0x6000] = {};
    perf.places[0xffffffff81000000] = {.sym = "entry", .dso = "[kernel.kallsyms]"};
    EXPECT_EQ(perf.start(), 0);
  }

  void add(std::uint64_t period, std::vector<std::uint64_t> stack) { add(FakeSample(), period, std::move(stack)); }
  void add(FakeSample sample, std::uint64_t period, std::vector<std::uint64_t> stack) {
    sample.with_thread(12, 13).with_ip(stack.at(1));
    sample.with_stack(std::move(stack));
    sample.sample.period = period;
    sample.sample.time = 5;
    EXPECT_EQ(perf.filter(sample), dropped);  // so that perf does not print the sample
  }

  std::string written() {
    EXPECT_EQ(perf.stop(), 0);
    std::ostringstream text;
    text << std::ifstream(path()).rdbuf();
    return text.str();
  }
  std::string path() const { return directory_.path() / "out"; }

 private:
  static std::vector<std::string> with_output(std::vector<std::string> options, const std::string& path) {
    options.push_back("--output=" + path);
    return options;
  }

  const test::TemporaryDirectory directory_;

 public:
  FakePerf perf;
};

TEST(FoldModule, WritesFoldedStacksAtTheEnd) {
  Collected collected("fold", {});
  collected.add(5, {user_context, 0x1004, 0x3000});
  collected.add(7, {user_context, 0x1008, 0x3000});
  collected.add(1, {kernel_context, 0xffffffff81000010, user_context, 0x4000, 0x6004, 0x5004});
  EXPECT_FALSE(std::filesystem::exists(collected.path()));
  EXPECT_EQ(collected.written(),
            "worker;caller;leaf<int> 12\n"
            "worker;jitted;[unknown];[libc.so.6];entry 1\n");
}

// With --call-graph lbr, calls are recorded, but not the jump from the called function to the sampled instruction.
TEST(FoldModule, TheUsersLeafOnTopOfRecordedCallsIsTheInstructionThatRan) {
  constexpr Branch calls[] = {{.from = 0x2010, .to = 0x3000, .flags = 0}, {.from = 0x3010, .to = 0x2000, .flags = 0}};
  Collected collected("fold", {});
  FakeSample sample;
  sample.with_branch_calls(calls);
  collected.add(sample, 5, {user_context, 0x1004, 0x4000});
  sample.sample.cpumode = 1;
  collected.add(sample, 7, {kernel_context, 0xffffffff81000010, user_context, 0x1004, 0x4000});
  EXPECT_EQ(collected.written(),
            "worker;next;caller;leaf<int> 5\n"
            "worker;next;caller;leaf<int>;entry 7\n");
}

TEST(FoldModule, HasTheOptionsOfTheCommand) {
  const auto folded = [](std::vector<std::string> options) {
    Collected collected("fold", std::move(options));
    collected.add(5, {kernel_context, 0xffffffff81000010, user_context, 0x1004, 0x5004});
    return collected.written();
  };
  EXPECT_EQ(folded({"--with-pid"}), "worker-12;jitted;leaf<int>;entry 5\n");
  EXPECT_EQ(folded({"--with-tid"}), "worker-12/13;jitted;leaf<int>;entry 5\n");
  EXPECT_EQ(folded({"--no-comm", "--weight=samples"}), "jitted;leaf<int>;entry 1\n");
  EXPECT_EQ(folded({"--annotate", "all"}), "worker;jitted_[j];leaf<int>;entry_[k] 5\n");
  EXPECT_EQ(folded({"--kernel-only"}), "worker;entry 5\n");
  EXPECT_EQ(folded({"--user-only", "--max-depth=1"}), "worker;jitted 5\n");
  EXPECT_EQ(folded({"--delimiter"}), "worker;jitted;leaf<int>;-;entry 5\n");
  EXPECT_EQ(folded({"--filter", "pid == 12", "--filter=tid == 13"}), "worker;jitted;leaf<int>;entry 5\n");
  EXPECT_EQ(folded({"--filter", "pid == 11"}), "");
  EXPECT_EQ(folded({"--event=cycles"}), "worker;jitted;leaf<int>;entry 5\n");
  EXPECT_EQ(folded({"--event=instructions"}), "");
}

TEST(FoldModule, WritesNothingAfterAFailure) {
  Collected collected("fold", {});
  collected.add(5, {user_context, 0x1004});
  collected.perf.sample_size = 192;
  testing::internal::CaptureStderr();
  EXPECT_EQ(collected.perf.filter(FakeSample()), -1);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), StartsWith("perfsift-fold.so: perf shows samples of 192 bytes"));
  collected.perf.stop();
  EXPECT_FALSE(std::filesystem::exists(collected.path()));
}

TEST(FoldModule, SaysAtTheStartThatItCannotWrite) {
  FakePerf perf("fold", Abi::v1, {"--output=/nowhere/out"});
  testing::internal::CaptureStderr();
  EXPECT_EQ(perf.start(), -1);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(StartsWith("perfsift-fold.so: "), HasSubstr("/nowhere/out")));
  EXPECT_EQ(perf.stop(), 0);
}

TEST(FoldModule, PrintsItsOptionsAndEndsTheRun) {
  FakePerf perf("fold", Abi::v1, {"--help"});
  testing::internal::CaptureStdout();
  EXPECT_EQ(perf.start(), 1);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("--weight"));
  EXPECT_EQ(perf.stop(), 0);
}

// A line of JSON, with ' replaced by ".
std::string json(std::string text) {
  std::ranges::replace(text, '\'', '"');
  return text + '\n';
}

TEST(JsonlModule, WritesALineForEachSample) {
  Collected collected("jsonl", {});
  collected.add(5, {user_context, 0x1004, 0x3000});
  EXPECT_EQ(collected.written(),
            json("{'event':'cycles:u','comm':'worker','samples':1,'pid':12,'tid':13,'time':5,'period':5,'misc':2,'ip':'"
                 "0x1004','"
                 "cpumode':'user',"
                 "'sym':'leaf<int>','dso':'/usr/bin/program','symoff':4,"
                 "'stack':[{'ip':'0x1004','cpumode':'user','sym':'leaf<int>','dso':'/usr/bin/program','symoff':4},"
                 "{'ip':'0x3000','cpumode':'user','sym':'caller','dso':'/usr/bin/program','symoff':4096}]}"));
}

TEST(JsonlModule, LeavesOutWhatIsNotWanted) {
  Collected collected("jsonl", {"--no-stack", "--filter=ip == 0x6004"});
  collected.add(5, {user_context, 0x1004, 0x3000});
  collected.add(6, {user_context, 0x6004, 0x3000});
  EXPECT_EQ(collected.written(),
            json("{'event':'cycles:u','comm':'worker','samples':1,'pid':12,'tid':13,'time':5,'period':6,'misc'"
                 ":2,'ip':'0x6004','cpumode':'user'}"));
}

}  // namespace
}  // namespace perfsift::dlfilter
