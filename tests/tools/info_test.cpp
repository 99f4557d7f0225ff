// Tests perfsift info from the command line to its output, on a recording made by hand and on testdata/demo.data.

#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/owned.h"
#include "tests/support/bytes.h"
#include "tests/support/paths.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"
#include "tools/command.h"

namespace perfsift::tools {
namespace {

using nlohmann::ordered_json;
using test::BytesBuilder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t context_user = static_cast<std::uint64_t>(-512);

// struct perf_event_attr of cpu-clock, 112 bytes: IP|TID|TIME|CALLCHAIN|CPU|PERIOD, sample_id_all, at most 3 frames.
BytesBuilder attr() {
  BytesBuilder b;
  b.u32(1).u32(112).u64(0).u64(1000).u64(0x1a7).u64(0).u64(1u << 18).zeros(8);
  return std::move(b.zeros(48).u32(0).u16(3).u16(0));
}

// pid, tid, time, cpu: sample_id_all adds these fields to each record that is not a sample.
BytesBuilder& id_trailer(BytesBuilder& b, std::uint64_t time) { return b.u32(7).u32(7).u64(time).u32(1).u32(0); }

BytesBuilder sample(std::uint64_t time, std::uint32_t cpu, std::initializer_list<std::uint64_t> user_frames) {
  BytesBuilder b;
  b.u64(*user_frames.begin()).u32(7).u32(7).u64(time).u32(cpu).u32(0).u64(250);
  b.u64(user_frames.size() + 1).u64(context_user);
  for (const std::uint64_t frame : user_frames) b.u64(frame);
  return b;
}

// A recording in pipe form. It has a stack of three frames, which is the limit, and a stack of two; four lost records
// and two lost samples; and nine samples that a BPF filter dropped.
std::vector<std::byte> pipe_recording() {
  constexpr std::uint16_t user = 2, dropped_by_bpf = 1 << 15;
  BytesBuilder comm, mmap, lost, lost_samples, dropped, throttle, unthrottle, strange;
  id_trailer(comm.u32(7).u32(7).padded("app"), 10);
  id_trailer(mmap.u32(7).u32(7).u64(0x400000).u64(0x1000).u64(0).padded("/nowhere/app"), 11);
  id_trailer(lost.u64(0).u64(4), 30);
  id_trailer(lost_samples.u64(2), 40);
  id_trailer(dropped.u64(9), 50);
  id_trailer(throttle.u64(60).u64(0).u64(0), 60);
  id_trailer(unthrottle.u64(75).u64(0).u64(0), 75);
  return BytesBuilder()
      .text("PERFILE2")
      .u64(16)
      .record(64, 0, attr().u64(0).view())
      .record(3, user, comm.view())
      .record(1, user, mmap.view())
      .record(9, user, sample(20, 0, {0x400100, 0x400200, 0x400300}).view())
      .record(9, user, sample(25, 1, {0x400100, 0x400200}).view())
      .record(2, 0, lost.view())
      .record(13, 0, lost_samples.view())
      .record(13, dropped_by_bpf, dropped.view())
      .record(5, 0, throttle.view())
      .record(6, 0, unthrottle.view())
      .record(200, 0, strange.u64(1).view())
      .take();
}

struct Told {
  int status = -1;
  std::string out;
  std::string err;
  ordered_json json() const { return ordered_json::parse(out); }
};

Told run_info(const options::Arguments& arguments) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Told outcome;
  outcome.status = run_command(*find_command("info"), arguments);
  outcome.out = ::testing::internal::GetCapturedStdout();
  outcome.err = ::testing::internal::GetCapturedStderr();
  return outcome;
}

class Info : public ::testing::Test {
 protected:
  test::TemporaryDirectory directory_;
  std::string file_ = directory_.write("hand.data", pipe_recording());
};

TEST_F(Info, SaysWhatAnInputIsThatIsNoRecording) {
  const std::string folded = directory_.write("x.folded", std::string_view("main;work 12\n"));
  const std::string pprof = directory_.path() / "x.pb.gz";
  ASSERT_EQ(run_command("export", {"--to", "pprof", folded, "-o", pprof}).status, done);
  const auto message = [](const std::string& path, const char* kind) {
    return "perfsift: " + path + ": is " + kind +
           ", and this command reads recordings of perf record only (report, flame, fold and diff read it)\n";
  };
  for (const std::string_view command : {"info", "script", "mem", "offcpu"}) {
    const Outcome of_text = run_command(command, {folded}), of_pprof = run_command(command, {pprof});
    EXPECT_EQ(of_text.err, message(folded, "text"));
    EXPECT_EQ(of_pprof.err, message(pprof, "a pprof profile"));
    EXPECT_EQ(of_text.status, input_unusable);
  }
}

TEST_F(Info, CountsTheRecordsOfEachTypeByPerfsNames) {
  const Told outcome = run_info({"--json", file_});
  EXPECT_EQ(outcome.status, done);
  EXPECT_EQ(outcome.json()["records"], ordered_json::parse(R"({"MMAP": 1, "LOST": 1, "COMM": 1, "THROTTLE": 1,
      "UNTHROTTLE": 1, "SAMPLE": 2, "LOST_SAMPLES": 2, "ATTR": 1, "200": 1})"));
}

TEST_F(Info, KeepsLostRecordsLostSamplesAndDroppedSamplesApart) {
  const ordered_json lost = run_info({"--json", file_}).json()["lost"];
  EXPECT_EQ(lost["records"], 4);
  EXPECT_EQ(lost["chunks"], 1);
  EXPECT_EQ(lost["samples"], 2);
  EXPECT_EQ(lost["bpf_dropped_samples"], 9);
}

// A recording with junk in the middle, which is as large as a quarter of all its records.
TEST_F(Info, CountsSkippedBytesAsLost) {
  std::vector<std::byte> damaged = pipe_recording();
  const std::vector<std::byte> once = pipe_recording();
  const auto records = std::span(once).subspan(16);
  const std::size_t junk = records.size() / 3 * 2 / 8 * 8;
  damaged.resize(damaged.size() + junk);
  damaged.insert(damaged.end(), records.begin(), records.end());
  const std::string file = directory_.write("damaged.data", damaged);

  const Told outcome = run_info({"--json", "--quality", "--losses", file, "--max-lost", "24"});
  const double percent = 100.0 * static_cast<double>(junk) / static_cast<double>(2 * records.size() + junk);
  EXPECT_EQ(outcome.json()["lost"]["skipped_bytes"], junk);
  EXPECT_DOUBLE_EQ(outcome.json()["quality"]["skipped_bytes_percent"].get<double>(), percent);
  EXPECT_EQ(outcome.status, check_failed);
  EXPECT_NE(outcome.err.find("of the bytes of records were skipped"), std::string::npos);
  EXPECT_NE(run_info({"--losses", file}).out.find("skipped bytes: " + std::to_string(junk)), std::string::npos);
  EXPECT_EQ(run_info({"--json", file_}).json()["lost"]["skipped_bytes"], 0);
  EXPECT_EQ(run_info({"--losses", file_}).out.find("skipped"), std::string::npos);
}

TEST_F(Info, TellsWhenTheKernelThrottled) {
  EXPECT_EQ(run_info({"--json", file_}).json()["throttled"],
            ordered_json::parse(R"([{"event": "cpu-clock", "cpu": 1, "from_ns": 60, "until_ns": 75}])"));
  const Told told = run_info({"--losses", file_});
  EXPECT_THAT(told.out, HasSubstr("throttled: 1 time, 0.000000 s in all\n"));
  EXPECT_THAT(told.err, HasSubstr("the kernel stopped an event 1 time, as it was too frequent"));
}

// Samples of threads that have exited have the tid -1. Some of these samples still have the pid.
TEST_F(Info, TellsProcessesApartWhoseThreadsHaveNoNumber) {
  test::RecordingBuilder in;
  in.timed_event();
  const auto sample_of = [&](std::uint32_t pid, std::uint64_t time) {
    in.record(reader::RecordType::sample, in.bytes().u64(0x401000).u32(pid).u32(~0U).u64(time), test::user_mode);
  };
  for (const std::uint64_t time : {10, 20, 30}) sample_of(~0U, time);
  for (const std::uint64_t time : {15, 25}) sample_of(7, time);
  const test::TemporaryDirectory folder;
  folder.write("exited.data", in.file());
  EXPECT_EQ(
      run_info({"--json", folder.path() / "exited.data"}).json()["processes"],
      ordered_json::parse(R"([{"pid": -1, "samples": 3, "comm": ":-1"}, {"pid": 7, "samples": 2, "comm": ":-1"}])"));
}

TEST_F(Info, CountsSamplesByEventProcessAndCpu) {
  const ordered_json json = run_info({"--json", file_}).json();
  EXPECT_EQ(json["events"][0]["name"], "cpu-clock");
  EXPECT_EQ(json["events"][0]["samples"], 2);
  EXPECT_EQ(json["events"][0]["period_total"], 500);
  EXPECT_EQ(json["processes"], ordered_json::parse(R"([{"pid": 7, "samples": 2, "comm": "app"}])"));
  EXPECT_EQ(json["cpus"], ordered_json::parse(R"([{"cpu": 0, "samples": 1}, {"cpu": 1, "samples": 1}])"));
  EXPECT_EQ(json["time_span"], ordered_json::parse(R"({"first_ns": 20, "last_ns": 25, "duration_ns": 5})"));
}

TEST_F(Info, NamesTheAttributesOfAnEvent) {
  const ordered_json attr = run_info({"--json", "--events", file_}).json()["events"][0]["attr"];
  EXPECT_EQ(attr["sample_period"], 1000);
  EXPECT_EQ(attr["sample_type"], ordered_json::parse(R"(["IP", "TID", "TIME", "CALLCHAIN", "CPU", "PERIOD"])"));
  EXPECT_EQ(attr["flags"], ordered_json::parse(R"(["sample_id_all"])"));
  EXPECT_EQ(attr["sample_max_stack"], 3);
}

TEST_F(Info, SaysWhichFramesHaveNoNameAndWhichStacksWereCut) {
  const ordered_json quality = run_info({"--json", file_}).json()["quality"];
  EXPECT_EQ(quality["frames"], 5);
  EXPECT_EQ(quality["unresolved_frames"], 5);
  EXPECT_EQ(quality["unresolved"][0]["binary"], "/nowhere/app");
  EXPECT_EQ(quality["unresolved"][0]["reason"], "file_missing");
  EXPECT_EQ(quality["callchains"], 2);
  EXPECT_EQ(quality["truncated_stacks"], 1);
}

TEST_F(Info, SaysTheSameAboutAStream) {
  const std::string from_file = run_info({"--json", file_}).out;
  const FileDescriptor saved(dup(STDIN_FILENO));
  const FileDescriptor file(open(file_.c_str(), O_RDONLY));
  ASSERT_GE(dup2(file.get(), STDIN_FILENO), 0);
  ordered_json streamed = run_info({"--json", "-"}).json();
  ASSERT_GE(dup2(saved.get(), STDIN_FILENO), 0);

  EXPECT_EQ(streamed["file"], "-");
  streamed["file"] = file_;
  EXPECT_EQ(streamed, ordered_json::parse(from_file));
}

TEST_F(Info, OfSeveralFilesIsAList) {
  const ordered_json json = run_info({"--json", file_, file_}).json();
  ASSERT_TRUE(json.is_array());
  EXPECT_EQ(json.size(), 2u);
}

TEST_F(Info, ShowsOnlyTheSectionsAskedFor) {
  const Told outcome = run_info({"--cpus", "--losses", file_});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\nCPUs\n  cpu  samples\n    0        1\n"), HasSubstr("\nLosses\n"),
                                 Not(HasSubstr("\nEvents\n")), Not(HasSubstr("\nQuality\n"))));
}

TEST_F(Info, LooksUpNoSymbolsWhenToldNotTo) {
  const Told outcome = run_info({"--json", "--no-quality", file_});
  EXPECT_FALSE(outcome.json().contains("quality"));
  EXPECT_TRUE(outcome.json().contains("events"));
}

TEST_F(Info, FailsWhenABudgetIsExceeded) {
  EXPECT_EQ(run_info({"--max-lost=50", "--max-unresolved=100", "--max-truncated=50", file_}).status, done);
  const Told outcome = run_info({"--quiet", "--max-truncated=49", file_});
  EXPECT_EQ(outcome.status, check_failed);
  EXPECT_EQ(outcome.err,
            "perfsift: " + file_ + ": 50 % of the stacks were cut (1 of 2), more than --max-truncated 49 allows\n");
}

TEST_F(Info, OfACutFileTellsWhatIsThereAndThatItIsNotAll) {
  std::vector<std::byte> bytes = pipe_recording();
  bytes.resize(bytes.size() - 3);
  const std::string cut = directory_.write("cut.data", bytes);
  const Told outcome = run_info({"--json", cut});
  EXPECT_EQ(outcome.status, partly_read);
  EXPECT_EQ(outcome.json()["damage"][0]["bytes"], 13);
  EXPECT_EQ(outcome.json()["records"]["SAMPLE"], 2);
  EXPECT_FALSE(outcome.json()["records"].contains("200"));
  EXPECT_THAT(run_info({cut}).out, HasSubstr("\nDamage\n"));
}

TEST_F(Info, OfADamagedFileFailsFirstOfAllOnItsBudget) {
  std::vector<std::byte> bytes = pipe_recording();
  bytes.resize(bytes.size() - 3);
  EXPECT_EQ(run_info({"--max-lost=1", directory_.write("cut.data", bytes)}).status, check_failed);
}

TEST_F(Info, OfWhatIsNoRecordingIsAnError) {
  for (const std::string& path : {directory_.write("text", "no recording"), directory_.write("empty", "")}) {
    const Told outcome = run_info({path});
    EXPECT_EQ(outcome.status, input_unusable);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("perfsift: " + path + ": "));
  }
}

TEST_F(Info, OneFileThatCannotBeReadDoesNotLoseTheOthers) {
  const std::string missing = directory_.path() / "missing.data";
  const Told outcome = run_info({"-q", "--json", file_, missing, "--events"});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_EQ(outcome.err, "perfsift: " + missing + ": cannot open: No such file or directory\n");
  ASSERT_EQ(outcome.json().size(), 1u) << "a list all the same, as several were asked for";
  EXPECT_EQ(outcome.json()[0]["file"], file_);
}

TEST_F(Info, RefusesWhatContradictsItself) {
  EXPECT_THROW(run_command(*find_command("info"), {"--quality", "--no-quality", file_}), UsageError);
  EXPECT_THROW(run_command(*find_command("info"), {"--max-unresolved=1", "--no-quality", file_}), UsageError);
}

// Expected values from `perf report --stats` and `perf report --header-only -I` of perf 6.1. The period is from `perf
// report -n`.
TEST(InfoOfTheDemo, AgreesWithPerf) {
  const std::string root = test::source_path("testdata/");
  const Told outcome = run_info({"--json", "--symfs", root + "symfs", root + "demo.data"});
  EXPECT_EQ(outcome.status, done);
  const ordered_json json = outcome.json();
  EXPECT_EQ(json["records"], ordered_json::parse(R"({"COMM": 4, "EXIT": 3, "FORK": 2, "SAMPLE": 563, "MMAP2": 2,
      "FINISHED_ROUND": 1, "ID_INDEX": 1, "THREAD_MAP": 1, "CPU_MAP": 1, "EVENT_UPDATE": 2, "FINISHED_INIT": 1})"));
  EXPECT_EQ(json["header"]["data_offset"], 264);
  EXPECT_EQ(json["header"]["data_size"], 82488);
  EXPECT_EQ(json["features"]["hostname"], "demo");
  EXPECT_EQ(json["features"]["perf_version"], "6.1.192");
  EXPECT_EQ(json["features"]["total_memory_kb"], 24684084);
  EXPECT_EQ(json["features"]["memory_topology"]["nodes"][0]["blocks"], "0-23,32-199");
  EXPECT_EQ(json["features"]["caches"].size(), 7u);
  EXPECT_EQ(json["events"][0]["name"], "cpu-clock:u");
  EXPECT_EQ(json["events"][0]["samples"], 563);
  EXPECT_EQ(json["events"][0]["period_total"], 281500000);
  EXPECT_EQ(json["events"][0]["attr"]["sample_freq"], 2000);
}

// The names of the demo are found only if frames are looked up as return addresses and in --symfs.
TEST(InfoOfTheDemo, FindsNamesBelowSymfs) {
  const std::string root = test::source_path("testdata/");
  const ordered_json quality =
      run_info({"--json", "--quality", "--symfs", root + "symfs", root + "demo.data"}).json()["quality"];
  for (const ordered_json& place : quality["unresolved"]) EXPECT_NE(place["binary"], "/opt/perfsift-demo/demo");
  EXPECT_EQ(quality["callchains"], 563);
}

}  // namespace
}  // namespace perfsift::tools
