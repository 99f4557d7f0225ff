// Tests perfsift filter from the command line to the files it writes.

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "analysis/rewrite/split.h"
#include "base/error.h"
#include "reader/recording.h"
#include "tests/support/full_recording.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;
namespace bit = reader::sample_bit;
using reader::RecordType;
using test::RecordingBuilder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

// Two processes with two threads each, on two CPUs. The second process is a child of the first.
class TwoProcesses {
 public:
  TwoProcesses() {
    in_.event({.sample_type = bit::ip | bit::tid | bit::time | bit::cpu, .flags = test::sample_id_all}, {1});
    side_band(1, RecordType::comm, pids(10, 10).padded("parent"));
    side_band(2, RecordType::mmap, pids(10, 10).u64(0x1000).u64(0x1000).u64(0).padded("/opt/secret/tool"));
    side_band(3, RecordType::fork, in_.bytes().u32(20).u32(10).u32(20).u32(10).u64(3));
    side_band(4, RecordType::comm, pids(20, 20).padded("child"));
    side_band(5, RecordType::comm, pids(30, 30).padded("stranger"));
    for (std::uint32_t i = 0; i < 12; ++i) {
      sample(100 + 10 * i, i % 3 == 0 ? 20 : 10, i % 2);
      if (i == 5) in_.round();
    }
    side_band(300, RecordType::lost, in_.bytes().u64(1).u64(4));
    auto time = in_.bytes();
    in_.feature(reader::Feature::sample_time, time.u64(100).u64(210));
    text_feature(reader::Feature::hostname, "host.example");
    auto command = in_.bytes();
    in_.feature(reader::Feature::command_line, command.u32(2).u32(8).padded("perf").u32(8).padded("./mine"));
  }

  std::vector<std::byte> file() const { return in_.file(); }
  std::vector<std::byte> pipe() const { return in_.pipe(); }

 private:
  test::BytesBuilder pids(std::uint32_t pid, std::uint32_t tid) const {
    auto bytes = in_.bytes();
    return bytes.u32(pid).u32(tid);
  }
  void side_band(std::uint64_t time, RecordType type, test::BytesBuilder payload) {
    in_.record(type, payload.u32(10).u32(10).u64(time).u32(0).u32(0), type == RecordType::mmap ? 2 : 0);
  }
  void sample(std::uint64_t time, std::uint32_t pid, std::uint32_t cpu) {
    in_.record(RecordType::sample, in_.bytes().u64(0x1010).u32(pid).u32(pid + time % 2).u64(time).u32(cpu).u32(0), 2);
  }
  void text_feature(reader::Feature feature, std::string_view text) {
    auto section = in_.bytes();
    in_.feature(feature, section.u32(static_cast<std::uint32_t>(text.size() + 8 - text.size() % 8)).padded(text));
  }

  RecordingBuilder in_;
};

// The times of samples, and the recorded names.
class Seen : public reader::OrderedVisitor {
 public:
  explicit Seen(const std::string& path) : recording_(reader::Recording::open(path)) {
    recording_->visit_in_order(*this);
  }
  void sample(const reader::Sample& sample) override {
    times.push_back(sample.time);
    const auto& timeline = recording_->timeline();
    const auto state = timeline.thread(sample.pid, sample.tid, sample.moment);
    comms.insert(timeline.comm(sample.tid, state));
    const auto found = timeline.resolve(state, sample.cpumode, sample.ip, false);
    files.insert(found.binary != CodeAddress::no_binary ? timeline.binaries()[found.binary].path : "");
  }
  void record(const reader::Record& record, const reader::SampleId&, reader::Moment) override {
    types.push_back(record.header.type);
  }
  const reader::Recording& recording() const { return *recording_; }

  std::vector<std::uint64_t> times;
  std::set<std::string> comms, files;
  std::vector<RecordType> types;

 private:
  std::unique_ptr<reader::Recording> recording_;
};

class FilterCommand : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  Outcome run(options::Arguments arguments) const { return run_command("filter", arguments); }
  std::vector<std::string> files_in(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / name)) {
      if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(folder_.path() / name));
    }
    std::ranges::sort(names);
    return names;
  }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  test::TemporaryDirectory folder_;
  std::string input_ = folder_.write("perf.data", TwoProcesses().file());
};

TEST_F(FilterCommand, TheSamplesOfAProcessAreKeptAndItsNamesAndMappingsWithThem) {
  const Outcome outcome = run({input_, "--pid", "20", "-o", path("out")});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("4 of 12 samples kept, 8 dropped, 4 records lost"));
  const Seen seen(path("out"));
  EXPECT_THAT(seen.times, ElementsAre(100, 130, 160, 190));
  EXPECT_THAT(seen.comms, ElementsAre("child"));
  EXPECT_THAT(seen.files, ElementsAre("/opt/secret/tool"));  // copied by the fork
  EXPECT_EQ(seen.recording().features().sample_time, std::pair(std::uint64_t{100}, std::uint64_t{190}));
}

TEST_F(FilterCommand, ThreadsCpusAndTimesCanBeAskedForTogether) {
  run({input_, "--cpu", "1", "--time", ",0.000000150", "-o", path("out")});
  EXPECT_THAT(Seen(path("out")).times, ElementsAre(110, 130, 150));
  run({input_, "--tid", "10", "--time", "0.000000150,", "-o", path("out")});
  EXPECT_THAT(Seen(path("out")).times, ElementsAre(150, 170, 180, 200, 210));
}

TEST_F(FilterCommand, PruningLeavesOutStrangersAndNoAncestors) {
  run({input_, "--pid", "20", "--prune", "-o", path("out")});
  const Seen seen(path("out"));
  EXPECT_THAT(seen.types, UnorderedElementsAre(RecordType::comm, RecordType::mmap, RecordType::fork, RecordType::comm,
                                               RecordType::finished_round, RecordType::lost));
  EXPECT_THAT(seen.comms, ElementsAre("child"));
  EXPECT_THAT(seen.files, ElementsAre("/opt/secret/tool"));
  EXPECT_THAT(content(path("out")), Not(HasSubstr("stranger")));
}

TEST_F(FilterCommand, EveryPartOfASplitIsARecording) {
  const Outcome outcome = run({input_, "--split", "by=pid", "-o", path("out.data")});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(Seen(path("out.20.data")).times, ElementsAre(100, 130, 160, 190));
  EXPECT_EQ(Seen(path("out.10.data")).times.size(), 8u);
  EXPECT_FALSE(fs::exists(path("out.data")));

  run({input_, "--split", "by=comm", "-o", path("comm.data")});
  EXPECT_THAT(Seen(path("comm.child.data")).times, ElementsAre(100, 130, 160, 190));
  run({input_, "--split", "by=time:60ns", "-o", path("time.data")});
  EXPECT_EQ(Seen(path("time.000000.data")).times.size(), 6u);
  EXPECT_THAT(Seen(path("time.000001.data")).times, ElementsAre(160, 170, 180, 190, 200, 210));
}

// Samples of two cgroups, one of which has no name.
std::vector<std::byte> recording_of_cgroups() {
  RecordingBuilder in;
  in.event({.sample_type = bit::ip | bit::tid | bit::time | bit::cgroup, .flags = test::sample_id_all});
  in.record_at(1, RecordType::cgroup, in.bytes().u64(70).padded("/a.slice/b"));
  for (const std::uint64_t time : {100, 110, 120}) {
    in.record(RecordType::sample, in.bytes().u64(0x1000).u32(7).u32(7).u64(time).u64(time == 110 ? 71 : 70), 2);
  }
  return in.file();
}

TEST_F(FilterCommand, SplitsByControlGroup) {
  const std::string input = folder_.write("cgroups.data", recording_of_cgroups());
  EXPECT_EQ(run({input, "--split", "by=cgroup", "-o", path("out.data")}).status, done);
  EXPECT_THAT(Seen(path("out._a.slice_b.data")).times, ElementsAre(100, 120));
  EXPECT_THAT(Seen(path("out.unknown.data")).times, ElementsAre(110));

  const Outcome without = run({input_, "--split", "by=cgroup", "-o", path("none.data")});
  EXPECT_EQ(without.status, wrong_usage);
  EXPECT_THAT(without.err, HasSubstr("no control groups were recorded; record with --all-cgroups"));
}

TEST_F(FilterCommand, NamesWhatItSkipsInADirectory) {
  folder_.write("in/a.data", TwoProcesses().file());
  folder_.write("in/b.data", TwoProcesses().file());
  folder_.write("in/below/notes.txt", std::string_view("no recording"));
  EXPECT_THAT(run({path("in"), "-o", path("out")}).err,
              HasSubstr("perfsift: warning: " + path("in/below/notes.txt") + ": skipped: not a recording\n"));
  EXPECT_EQ(run({path("in"), "-q", "-o", path("out")}).err, "");
}

TEST(SplitRule, IsReadFromText) {
  EXPECT_EQ(analysis::SplitRule::parse("by=cgroup").by, analysis::SplitRule::By::cgroup);
  EXPECT_EQ(analysis::SplitRule::parse("by=time:1.5s").interval, 1'500'000'000u);
  EXPECT_EQ(analysis::SplitRule::parse("by=time:20us").interval, 20'000u);
  for (const char* wrong : {"", "pid", "by=cpu", "by=time", "by=time:", "by=time:1", "by=time:0s", "by=time:-1s",
                            "by=time:1e99s", "by=time:1sec"}) {
    EXPECT_THROW(analysis::SplitRule::parse(wrong), UsageError) << wrong;
  }
}

TEST(PathOfPart, HasNothingThatAFileCannotBeCalled) {
  EXPECT_EQ(analysis::path_of_part("a.b/out.data", "kworker/0:1"), "a.b/out.kworker_0_1.data");
  EXPECT_EQ(analysis::path_of_part("out", "1"), "out.1");
}

// NAME_MAX is 255 bytes. The temporary name of the file is 7 bytes longer.
TEST(PathOfPart, ALongNameIsCutAndStaysDistinct) {
  const std::string common(300, 'x');
  const fs::path one(analysis::path_of_part("below/out.data", common + "1")),
      other(analysis::path_of_part("below/out.data", common + "2"));
  EXPECT_EQ(one.filename().string().size(), 248u);
  EXPECT_THAT(one.filename().string(), testing::StartsWith("out.xxxxx"));
  EXPECT_EQ(one.extension(), ".data");
  EXPECT_NE(one, other);
  EXPECT_EQ(analysis::path_of_part("below/out.data", common + "1"), one);

  const std::string fits(248 - std::string_view("out..data").size(), 'y');
  EXPECT_EQ(analysis::path_of_part("out.data", fits), "out." + fits + ".data");
}

TEST_F(FilterCommand, NamesAreMaskedTheSameWayEverywhere) {
  const std::string key = folder_.write("key", std::string_view("a key of more than 16 bytes"));
  run({input_, "--anonymize", "--anonymize-key", key, "-o", path("out")});
  const std::string bytes = content(path("out"));
  for (const char* name : {"parent", "child", "stranger", "secret", "tool", "host.example", "mine"}) {
    EXPECT_THAT(bytes, Not(HasSubstr(name)));
  }
  const Seen before(input_), after(path("out"));
  EXPECT_EQ(after.times, before.times);
  EXPECT_EQ(after.types, before.types);
  EXPECT_EQ(after.comms.size(), before.comms.size());
  EXPECT_EQ(after.recording().features().command_line.size(), 2u);

  run({input_, "--anonymize", "--anonymize-key", key, "-z", "-o", path("again")});
  EXPECT_EQ(Seen(path("again")).comms, after.comms);
  run({input_, "--anonymize", "-o", path("other")});
  EXPECT_NE(Seen(path("other")).comms, after.comms);
}

TEST_F(FilterCommand, EverythingARecordingCanHoldIsAnonymised) {
  for (const ByteOrder order : {ByteOrder::native, ByteOrder::swapped}) {
    const std::string full = folder_.write("full.data", test::full_recording(order).file());
    EXPECT_THAT(content(full), HasSubstr("abc"));
    // A fixed key: one random key in some tens makes a mask that contains "abc".
    const std::string key = folder_.write("key", std::string_view("a key of more than 16 bytes"));
    const Outcome outcome = run({full, "--anonymize", "--anonymize-key", key, "-o", path("out")});
    EXPECT_EQ(outcome.status, done) << outcome.err;
    const std::string bytes = content(path("out"));
    for (const char* name : {"demo", "/lib/a.so", "bpf_prog_1_x", "system.slice", "my_prog", "ABCDEFGHIJKLMNOPQRST",
                             "abc", "btf", "version", "unknown."}) {
      EXPECT_THAT(bytes, Not(HasSubstr(name)));
    }
    EXPECT_EQ(Seen(path("out")).times, Seen(full).times);
    EXPECT_THAT(outcome.err, HasSubstr("copies of stacks"));
  }
}

TEST_F(FilterCommand, AnInputIsNotWrittenOver) {
  const std::string before = content(input_);
  fs::create_symlink(input_, path("link"));
  for (const std::string& output : {input_, path("link")}) {
    const Outcome outcome = run({input_, "--pid", "20", "-o", output});
    EXPECT_EQ(outcome.status, wrong_usage);
    EXPECT_THAT(outcome.err, HasSubstr("is read"));
  }
  EXPECT_EQ(content(input_), before);
}

TEST_F(FilterCommand, AFailureLeavesNoHalfOfAFile) {
  const std::string cut = folder_.write("cut.data", Bytes(TwoProcesses().file()).first(60));
  EXPECT_EQ(run({cut, "-o", path("out")}).status, input_unusable);
  EXPECT_FALSE(fs::exists(path("out")));
  EXPECT_EQ(run({input_, "-o", path("missing/out")}).status, input_unusable);
}

TEST_F(FilterCommand, ABatchGoesOnAfterAFileThatCannotBeRead) {
  const auto file = TwoProcesses().file();
  folder_.write("in/a.data", file);
  folder_.write("in/below/b.data", TwoProcesses().pipe());
  folder_.write("in/below/c.data.gz", test::gzip(file));
  folder_.write("in/cut.data", Bytes(file).first(60));
  folder_.write("in/notes.txt", std::string_view("no recording"));
  for (const auto& [number, bytes] : std::map<std::string, Bytes>{{"data", file}, {"data.0", {}}}) {
    folder_.write("in/threads/" + number, bytes);
  }
  const Outcome outcome = run({path("in"), "--pid", "20", "-j", "2", "-o", path("out"), "--json"});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(files_in("out"), ElementsAre("a.data", "below/b.data", "below/c.data", "threads"));
  for (const std::string& name : files_in("out")) EXPECT_EQ(Seen(path("out/" + name)).times.size(), 4u) << name;

  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["kept"], 16);
  EXPECT_EQ(json["dropped"], 32);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["files"].size(), 5u);
  EXPECT_EQ(json["files"][0]["lost_records"], 4);
  EXPECT_EQ(json["files"][0]["parts"][0]["output"], path("out/a.data"));
}

TEST_F(FilterCommand, TwoOfABatchDoNotGetOnePlace) {
  const std::string other = folder_.write("other/perf.data", TwoProcesses().file());
  const Outcome outcome = run({input_, other, "-o", path("out")});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(FilterCommand, ADryRunWritesNothing) {
  const Outcome outcome = run({input_, "--pid", "20", "--dry-run", "-o", path("out")});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("4 of 12 samples kept"));
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(FilterCommand, LossesBeyondTheLimitFail) {
  EXPECT_EQ(run({input_, "--max-lost", "10", "-o", path("out")}).status, check_failed);
  EXPECT_TRUE(fs::exists(path("out")));
  EXPECT_EQ(run({input_, "--max-lost", "50", "-o", path("out")}).status, done);
}

TEST_F(FilterCommand, StandardOutputGetsThePipeForm) {
  const Outcome outcome = run({input_, "--pid", "20", "-o", "-"});
  ASSERT_GT(outcome.out.size(), 16u);
  EXPECT_EQ(outcome.out.substr(0, 16), std::string("PERFILE2\x10\0\0\0\0\0\0\0", 16));
  EXPECT_THAT(outcome.err, HasSubstr("4 of 12 samples kept"));
  EXPECT_THAT(Seen(folder_.write("piped", std::string_view(outcome.out))).times, ElementsAre(100, 130, 160, 190));
}

// A sample belongs to all events of its group. If one event is wanted, the whole sample is kept, and readers see all
// events.
TEST_F(FilterCommand, ASampleOfAGroupIsKeptWhole) {
  const std::string counters = folder_.write("counters.data", test::recording_of_counters().file());
  const Seen before(counters);
  const Outcome outcome =
      run({counters, "-e", reader::Recording::open(counters)->events()[0]->name, "-o", path("out")});
  EXPECT_EQ(outcome.status, done) << outcome.err;
  EXPECT_EQ(Seen(path("out")).times, before.times);
}

TEST_F(FilterCommand, WhatMakesNoSenseIsRefused) {
  const std::string out = path("out");
  EXPECT_EQ(run({input_}).status, wrong_usage);
  EXPECT_EQ(run({input_, "-o", out, "--event", "nothing"}).status, wrong_usage);
  EXPECT_EQ(run({input_, "-o", out, "--pid", "me"}).status, wrong_usage);
  EXPECT_EQ(run({input_, "-o", out, "--time", "1"}).status, wrong_usage);
  EXPECT_EQ(run({input_, "-o", out, "--time", "1x,2"}).status, wrong_usage);
  EXPECT_EQ(run({input_, "-o", out, "--compression-level", "99"}).status, wrong_usage);
  EXPECT_EQ(run({input_, "-o", out, "--anonymize-key", input_}).status, wrong_usage);
  EXPECT_EQ(run({input_, "-o", "-", "--json"}).status, wrong_usage);
  EXPECT_EQ(run({input_, "-o", "-", "--split", "by=pid"}).status, wrong_usage);
  EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace perfsift::tools
