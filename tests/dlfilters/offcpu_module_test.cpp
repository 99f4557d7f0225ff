// perfsift-offcpu.so, with scheduler events made by hand.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/dlfilters/fake_perf.h"
#include "tests/support/bytes.h"
#include "tests/support/temporary.h"

namespace perfsift::dlfilter {
namespace {

using test::BytesBuilder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::uint64_t sleeping = 1, preempted = 0x100;

class OffcpuModule : public ::testing::Test {
 protected:
  void start(std::vector<std::string> options) {
    options.push_back("--output=" + path());
    perf.emplace("offcpu", Abi::v2, std::move(options));
    perf->places[0x1000] = {.sym = "leaf()", .dso = "/usr/bin/program"};
    perf->places[0x2000] = {.sym = "caller()", .dso = "/usr/bin/program"};
    perf->places[0xffffffff81000000] = {.sym = "schedule", .dso = "[kernel.kallsyms]"};
    ASSERT_EQ(perf->start(), 0);
  }

  void switch_at(std::uint64_t time, std::uint32_t prev, std::uint64_t state, std::uint32_t next) {
    BytesBuilder raw;
    raw.u32(372).u32(prev).text(name_of(prev)).zeros(10).u32(prev).u32(120).u64(state);
    raw.text(name_of(next)).zeros(10).u32(next).u32(120).zeros(4);
    show(time, prev, "sched:sched_switch", raw.take());
  }
  void waking_at(std::uint64_t time, std::uint32_t who, std::uint32_t whom, const char* event = "sched:sched_waking") {
    show(time, who, event,
         BytesBuilder().u32(375).u32(who).text(name_of(whom)).zeros(10).u32(whom).u32(120).u32(0).take());
  }
  void show(std::uint64_t time, std::uint32_t tid, const char* event, std::vector<std::byte> raw) {
    namespace bit = reader::sample_bit;
    FakeSample sample;
    sample.with_attr(24, bit::ip | bit::tid | bit::time | bit::cpu | bit::period | bit::raw | bit::callchain);
    sample.with_thread(static_cast<std::int32_t>(tid), static_cast<std::int32_t>(tid)).with_raw(std::move(raw));
    sample.with_stack(
        {reader::callchain_context::kernel, 0xffffffff81000010, reader::callchain_context::user, 0x1004, 0x2008});
    sample.sample.ip = 0xffffffff81000010;
    sample.sample.time = time;
    sample.sample.cpu = 0;
    sample.sample.event = event;
    const std::string comm = has_names ? name_of(tid) : ":" + std::to_string(tid);
    perf->comm = comm.c_str();
    EXPECT_EQ(perf->filter(sample), dropped);  // so that perf does not print the sample
  }
  static std::string name_of(std::uint32_t tid) { return tid == 0 ? "idle_0" : "name_" + std::to_string(tid); }

  // Thread 7 is blocked for 300 ns and then queued for 100 ns, while thread 8 runs.
  void block_once() {
    switch_at(1000, 7, sleeping, 8);
    waking_at(1300, 8, 7);
    switch_at(1400, 8, preempted, 7);
    switch_at(2000, 7, sleeping, 8);
  }

  // The report; the folded stacks are in the file.
  std::string report() {
    testing::internal::CaptureStdout();
    EXPECT_EQ(perf->stop(), 0);
    return testing::internal::GetCapturedStdout();
  }
  std::string folded() {
    report();
    std::ostringstream text;
    text << std::ifstream(path()).rdbuf();
    return text.str();
  }
  std::string path() const { return directory_.path() / "out"; }

  const test::TemporaryDirectory directory_;
  std::optional<FakePerf> perf;
  bool has_names = true;  // whether perf has names of threads
};

TEST_F(OffcpuModule, FoldsTheTimeThatThreadsWereOff) {
  start({"--unit=ns"});
  block_once();
  EXPECT_EQ(folded(),
            "name_7;caller;leaf;schedule 400\n"
            "name_8;[no stack] 0\n"
            "name_8;caller;leaf;schedule 600\n");
}

TEST_F(OffcpuModule, HasTheOptionsOfTheCommand) {
  start({"--unit=ns", "--split=state", "--waker", "--delimiter", "--min-block=200ns", "--tid=7"});
  block_once();
  EXPECT_EQ(folded(), "name_7;caller;leaf;-;schedule;[S];--;schedule;leaf;caller;name_8 400\n");
}

TEST_F(OffcpuModule, ReportsAsTheCommandDoes) {
  start({"--json"});
  block_once();
  const auto all = nlohmann::json::parse(report());
  EXPECT_EQ(all["switches"], 3);
  EXPECT_EQ(all["wakeups"], 1);
  const auto& thread = all["threads"][0];
  EXPECT_EQ(thread["tid"], 7);
  EXPECT_EQ(thread["pid"], 7);
  EXPECT_EQ(thread["comm"], "name_7");
  EXPECT_EQ(thread["times"], nlohmann::json::parse(R"({"run": 600, "run_queue": 100, "blocked": 300, "unknown": 0})"));
}

TEST_F(OffcpuModule, TakesTheLaterWakeupWhereThereIsNoOther) {
  start({"--json"});
  switch_at(1000, 7, sleeping, 8);
  waking_at(1100, 8, 7, "sched:sched_wakeup");
  switch_at(1400, 8, sleeping, 7);
  waking_at(1500, 7, 8, "sched:sched_waking");
  waking_at(1700, 7, 8, "sched:sched_wakeup");
  switch_at(1800, 7, sleeping, 8);
  const auto all = nlohmann::json::parse(report());
  EXPECT_EQ(all["threads"][0]["times"]["blocked"], 100);  // thread 7, until 1100
  EXPECT_EQ(all["threads"][1]["times"]["blocked"], 100);  // thread 8, from 1400 to 1500
}

// Samples of a thread that the kernel no longer knows have pid and tid -1.
TEST_F(OffcpuModule, KnowsThreadsThatAreGoneByTheTracepoint) {
  start({"--unit=ns"});
  BytesBuilder raw;
  raw.u32(372).u32(7).text("name_7").zeros(10).u32(7).u32(120).u64(0x10).text("name_8").zeros(10).u32(8).u32(120).zeros(
      4);
  switch_at(1000, 8, sleeping, 7);
  show(1500, ~std::uint32_t{0}, "sched:sched_switch", raw.take());
  EXPECT_EQ(folded(),
            "name_7;[no stack] 0\n"
            "name_8;caller;leaf;schedule 500\n");
}

// Since 6.12, perf shows new threads without a name until they set one.
TEST_F(OffcpuModule, NamesThreadsThatPerfHasNoNameFor) {
  start({"--unit=ns"});
  has_names = false;
  block_once();
  EXPECT_EQ(folded(),
            "name_7;caller;leaf;schedule 400\n"
            "name_8;[no stack] 0\n"
            "name_8;caller;leaf;schedule 600\n");
}

TEST_F(OffcpuModule, RefusesALayoutItDoesNotKnow) {
  start({});
  FakeSample sample;
  sample.with_raw(std::vector<std::byte>(76));
  sample.sample.event = "sched:sched_switch";
  sample.sample.time = 5;
  testing::internal::CaptureStderr();
  EXPECT_EQ(perf->filter(sample), -1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "perfsift-offcpu.so: sched:sched_switch: its 76 bytes have an unknown layout; perfsift "
            "offcpu reads them by the format that was recorded\n");
  EXPECT_EQ(perf->stop(), 0);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(OffcpuModule, SaysThatThereAreNoSwitches) {
  start({});
  testing::internal::CaptureStderr();
  report();
  EXPECT_THAT(testing::internal::GetCapturedStderr(), StartsWith("perfsift-offcpu.so: no switches: record with"));
}

TEST_F(OffcpuModule, SaysThatItDoesNotSeeRecordsOfSwitches) {
  start({});
  FakeSample sample;
  sample.with_attr(40, std::uint64_t{1} << 26);  // context_switch
  sample.sample.time = 5;
  perf->filter(sample);
  testing::internal::CaptureStderr();
  report();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              StartsWith("perfsift-offcpu.so: records of switches (--switch-events) are not shown to a dlfilter"));
}

std::string offcpu_refusal(const std::vector<std::string>& options) {
  FakePerf perf("offcpu", Abi::v1, options);
  testing::internal::CaptureStderr();
  EXPECT_EQ(perf.start(), -1);
  EXPECT_EQ(perf.stop(), 0);
  return testing::internal::GetCapturedStderr();
}

TEST(OffcpuModuleOptions, AreRefusedWhereTheyCannotBe) {
  EXPECT_EQ(offcpu_refusal({"--unit=s"}), "perfsift-offcpu.so: --unit s: there are us, ns and count\n");
  EXPECT_EQ(offcpu_refusal({"--split=comm"}), "perfsift-offcpu.so: --split comm: there are state, wait and cgroup\n");
  EXPECT_EQ(offcpu_refusal({"--json", "--output=-"}),
            "perfsift-offcpu.so: only one of --json and --output - can have standard output\n");
  EXPECT_THAT(offcpu_refusal({"--kernel-threads"}),
              AllOf(StartsWith("perfsift-offcpu.so: "), HasSubstr("kernel-threads")));
  EXPECT_THAT(offcpu_refusal({"--output=/nowhere/out"}), HasSubstr("/nowhere/out"));
}

}  // namespace
}  // namespace perfsift::dlfilter
