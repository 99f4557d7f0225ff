// perfsift c2c from the command line to its output, on recordings of a simulated machine with known sharing.

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/memory_recording.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::c2c_tests {  // a unity build compiles other tests in the same file
namespace {

using test::MemoryPmu;
using test::ModelAccess;
using test::ModelLevel;
using test::ModelSnoop;
using ::testing::HasSubstr;
using Json = nlohmann::json;
namespace bit = reader::sample_bit;

class C2c : public ::testing::Test {
 protected:
  C2c() { directory_.write("symfs/opt/model", Bytes(test::ModelFile::image())); }

  Outcome run(options::Arguments arguments, const std::string& file) {
    arguments.insert(arguments.end(), {"--symfs", directory_.path() / "symfs", file});
    return run_command("c2c", arguments);
  }
  std::string shown(const options::Arguments& arguments, MemoryPmu pmu = MemoryPmu::intel) {
    const std::string file = directory_.write(
        "perf.data", Bytes(test::memory_recording(pmu, accesses_, test::ModelFile::mappings("/opt/model", false),
                                                  test::ModelFile::machine())));
    const Outcome outcome = run(arguments, file);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.status, done);
    return outcome.out;
  }
  // A recording of breakpoints: {tid, address} of each access.
  std::string breakpoints(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& accesses) {
    constexpr std::uint32_t read_write = 3;  // HW_BREAKPOINT_RW
    test::RecordingBuilder in;
    in.event({.type = reader::event_type::breakpoint,
              .sample_period = 1,
              .sample_type = bit::ip | bit::tid | bit::addr,
              .bp_type = read_write});
    for (const auto& [tid, address] : accesses) {
      in.record(reader::RecordType::sample, in.bytes().u64(0x401000).u32(7).u32(tid).u64(address), test::user_mode);
    }
    return directory_.write("breakpoints.data", Bytes(in.file()));
  }
  static const Json& line_of(const Json& json, std::uint64_t address) {
    return *std::ranges::find_if(json["lines"], [&](const Json& line) { return line["address"] == address; });
  }

  test::TemporaryDirectory directory_;
  const std::vector<ModelAccess> accesses_ = test::run_model(test::ModelFile::program(), 200);
};

TEST_F(C2c, FalseSharingComesFirstAndIsToldFromTrueSharing) {
  for (const MemoryPmu pmu : {MemoryPmu::intel, MemoryPmu::amd, MemoryPmu::numbers_only, MemoryPmu::hybrid}) {
    const Json json = Json::parse(shown({"--json"}, pmu));
    const Json& first = json["lines"][0];
    EXPECT_EQ(first["data"], "counters");
    EXPECT_EQ(first["sharing"], "false sharing");
    EXPECT_EQ(first["false_share_percent"], 100);
    EXPECT_EQ(line_of(json, test::ModelFile::total)["sharing"], "true sharing");
    EXPECT_EQ(line_of(json, test::ModelFile::total)["false_share_percent"], 0);
    for (std::uint64_t i = 0; i < test::MemoryModel::threads; ++i) {
      EXPECT_EQ(line_of(json, test::ModelFile::scratch + 64 * i)["sharing"], "one thread");
    }
  }
}

TEST_F(C2c, LinesHaveTheModelsCounts) {
  const Json json = Json::parse(shown({"--json"}));
  const auto count = [&](std::uint64_t address, unsigned thread, auto&& is) {
    return std::ranges::count_if(accesses_, [&](const ModelAccess& access) {
      return access.address == address && access.thread == thread && is(access);
    });
  };
  const Json& offsets = json["lines"][0]["offsets"];
  ASSERT_EQ(offsets.size(), test::MemoryModel::threads);
  for (unsigned i = 0; i < test::MemoryModel::threads; ++i) {
    const std::uint64_t address = test::ModelFile::counters + 8 * i;
    const Json& thread = offsets[i]["threads"][0];
    EXPECT_EQ(offsets[i]["threads"].size(), 1u);
    EXPECT_EQ(thread["tid"], 1001 + i);
    EXPECT_EQ(thread["loads"], count(address, i, [](const ModelAccess& access) { return !access.store; }));
    EXPECT_EQ(thread["stores"], count(address, i, [](const ModelAccess& access) { return access.store; }));
    EXPECT_EQ(thread["local_hitm"], count(address, i, [](const ModelAccess& access) {
                return !access.store && access.snoop == ModelSnoop::hitm && access.level == ModelLevel::l3;
              }));
    EXPECT_EQ(thread["remote_hitm"], count(address, i, [](const ModelAccess& access) {
                return !access.store && access.snoop == ModelSnoop::hitm && access.level == ModelLevel::remote_cache;
              }));
    EXPECT_EQ(offsets[i]["cpus"], Json::array({i}));
    EXPECT_EQ(offsets[i]["code"][0]["symbol"], "update");
  }
}

TEST_F(C2c, TextSaysWhyAndWhatToDo) {
  const std::string text = shown({"--limit", "4"});
  EXPECT_THAT(text, HasSubstr("line 0x404100: counters (file, node 0), false sharing by 4 threads: 100 % of "));
  EXPECT_THAT(text, HasSubstr("Give each of these a line of its own (alignas(64), or padding to 64 bytes):\n"
                              "    counters+0x0 (used by 1001:model)\n"
                              "    counters+0x8 (used by 1002:model)\n"));
  EXPECT_THAT(text, HasSubstr("true sharing    total\n"));
}

TEST_F(C2c, ResultDoesNotDependOnThreads) {
  for (const char* form : {"--json", "--csv"}) EXPECT_EQ(shown({form, "-j", "1"}), shown({form, "-j", "3"})) << form;
}

// Threads of different recordings share nothing, even if their numbers and addresses are equal.
TEST_F(C2c, RecordingsHaveNoLinesInCommon) {
  const std::string first = directory_.write("first.data", test::content_of(breakpoints({{8, 0x1000}, {8, 0x1008}})));
  const Json json = Json::parse(run({"--json", first}, breakpoints({{9, 0x1000}, {9, 0x1008}})).out);
  ASSERT_EQ(json["lines"].size(), 2u);
  for (const Json& line : json["lines"]) EXPECT_EQ(line["sharing"], "one thread");
}

// Without HITM, the bytes that threads use decide. Thread 8 uses one word, and thread 9 another word.
TEST_F(C2c, BreakpointsTellFalseSharing) {
  const Json json = Json::parse(
      run({"--json"}, breakpoints({{8, 0x1000}, {9, 0x1008}, {8, 0x1000}, {8, 0x2000}, {9, 0x2000}, {8, 0x3000}})).out);
  EXPECT_EQ(line_of(json, 0x1000)["sharing"], "false sharing");
  EXPECT_EQ(line_of(json, 0x1000)["disturbed"], 3);
  EXPECT_EQ(line_of(json, 0x2000)["sharing"], "true sharing");
  EXPECT_EQ(line_of(json, 0x3000)["sharing"], "one thread");
  EXPECT_EQ(json["lines"][0]["address"], 0x1000);
}

// A breakpoint on reads and writes does not say which of the two an access is, so the threads may only read.
TEST_F(C2c, WithoutKnownStoresThereIsNoCertainVerdict) {
  const std::string file = breakpoints({{8, 0x1000}, {9, 0x1008}});
  const Json line = Json::parse(run({"--json"}, file).out)["lines"][0];
  EXPECT_EQ(line["stores_known"], false);
  EXPECT_EQ(line["reason"],
            "false sharing by 2 threads, if any of them stores (stores not known): 100 % of 2 accesses (95 % interval "
            "34-100 %) are to bytes that other threads hardly use");
  EXPECT_THAT(line["advice"][0], testing::StartsWith("If a thread stores to the line, give each"));
  EXPECT_THAT(run({}, file).out, HasSubstr("false sharing?  "));
}

// An access of a third thread, before or after all others, does not make data shared.
TEST_F(C2c, InitialisationAndFinalSumLeaveFalseSharing) {
  for (const MemoryPmu pmu : {MemoryPmu::intel, MemoryPmu::amd}) {
    const Json json = Json::parse(shown({"--json"}, pmu));
    for (const std::uint64_t address : {test::ModelFile::prepared, test::ModelFile::summed}) {
      const Json& line = line_of(json, address);
      EXPECT_EQ(line["threads"], 3);
      EXPECT_EQ(line["sharing"], "false sharing") << line["reason"];
      EXPECT_GT(line["false_share_percent"], 99);
      EXPECT_EQ(line["advice"].size(), 3u);
    }
  }
}

// Both threads use all words, and disturb each other at each word.
TEST_F(C2c, DataOfSeveralWordsAreTrulyShared) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> accesses;
  for (const std::uint32_t tid : {8, 9}) {
    for (std::uint64_t word = 0; word < 8; ++word) accesses.insert(accesses.end(), tid, {tid, 0x1000 + 8 * word});
  }
  const Json json = Json::parse(run({"--json"}, breakpoints(accesses)).out);
  EXPECT_EQ(json["lines"][0]["sharing"], "true sharing");
  EXPECT_EQ(json["lines"][0]["false_share_percent"], 0);
}

// Bytes 0 are shared by both threads, bytes 8 and 16 are not.
TEST_F(C2c, MixedSharing) {
  const Json json = Json::parse(run({"--json"}, breakpoints({{8, 0x1000}, {9, 0x1000}, {8, 0x1008}, {9, 0x1010}})).out);
  EXPECT_EQ(json["lines"][0]["sharing"], "mixed");
  EXPECT_EQ(json["lines"][0]["false_share_percent"], 50);
  // Wilson's interval of 2 of 4
  EXPECT_NEAR(json["lines"][0]["false_share_low"].get<double>(), 15.0, 0.1);
  EXPECT_NEAR(json["lines"][0]["false_share_high"].get<double>(), 85.0, 0.1);
}

}  // namespace
}  // namespace perfsift::tools::c2c_tests
