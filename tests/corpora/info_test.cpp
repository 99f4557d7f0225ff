// `perfsift info` on recordings made elsewhere, which are not part of this repository. The tests look for the
// recordings in ../shared/corpora, and are skipped if the folder is missing.

#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/survey/survey.h"
#include "output/info/info_json.h"
#include "reader/recording.h"
#include "tests/support/paths.h"

namespace perfsift::tools {
namespace {

using nlohmann::json;

const std::filesystem::path corpora = test::source_path("../shared/corpora");

class InfoOfTheCorpora : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(corpora)) GTEST_SKIP() << corpora << " is not there";
  }
};

json info_of(const std::string& file) {
  const auto recording = reader::Recording::open(corpora / file);
  const analysis::Survey survey = analysis::survey_samples(*recording, 2, nullptr);
  return output::info_json(*recording, survey, output::Sections::everything());
}

TEST_F(InfoOfTheCorpora, CountsTheRecordsThatAnIndependentDecoderFound) {
  std::ifstream expected(corpora / "expected.jsonl");
  int files = 0;
  for (std::string line; std::getline(expected, line); ++files) {
    const json entry = json::parse(line);
    SCOPED_TRACE(entry["file"]);
    const json info = info_of(entry["file"]);
    EXPECT_EQ(info["records"], entry["record_counts"]);
    EXPECT_EQ(info["damage"], json::array());
    EXPECT_EQ(info["malformed"], json::object());
  }
  EXPECT_EQ(files, 23);
}

struct EventTotals {
  std::string name;
  std::uint64_t samples = 0;
  std::uint64_t period_total = 0;
  bool operator==(const EventTotals&) const = default;
};

void PrintTo(const EventTotals& totals, std::ostream* out) {
  *out << totals.name << ": " << totals.samples << " samples, period " << totals.period_total;
}

// From perf 6.1: samples of `perf report --stats`, periods of `perf report --no-group --no-branch-stack -s comm`
// ("Event count"). Recordings that perf 6.1 cannot read are left out.
const std::map<std::string, std::vector<EventTotals>> perfs_totals = {
    {"quipper/perf.data.singleprocess-3.4",
     {{"cycles", 14, 2143535},
      {"instructions", 14, 922214},
      {"cache-references", 12, 18192},
      {"cache-misses", 11, 7116},
      {"branches", 13, 201384},
      {"branch-misses", 13, 15161}}},
    {"quipper/perf.data.callgraph-3.8", {{"cycles", 1768, 291177942}}},
    {"quipper/perf.data.branch-4.14", {{"cycles:ppp", 13, 2668332}}},
    {"quipper/perf.data.group_desc-4.14", {{"cache-references", 7, 165909}, {"branch-misses", 6, 23813}}},
    {"quipper/perf.data.remmap-3.2", {{"cycles", 198, 538511820}}},
    {"quipper/perf.data.proc.map.timeout-3.18", {{"cycles", 8, 32000000}}},
    {"quipper/perf.data.armv7.perf_3.14-3.8", {{"cycles", 700, 72156940}}},
    {"quipper/perf.data.piped.target.throttled-3.4", {{"cycles:H", 228, 374982093}}},
    {"quipper/perf.data.piped.no_attr_ids-4.14", {{"cycles", 7, 3051275}}},
    {"quipper/perf.data.piped.header_feautres_group_desc-6.8",
     {{"cycles:u", 11, 540774}, {"instructions:u", 10, 588431}}},
    {"quipper/perf.data.throttle-3.8", {{"cycles", 9036, 90360000}, {"instructions", 5944, 59440000}}},
    {"autofdo/ro_sample.perf", {{"cycles:u", 13, 527357}}},
    {"simpleperf/perf_g_fp.data", {{"cycles", 10, 13028002}}},
    {"simpleperf/perf_with_add_counter.data", {{"cycles", 12, 2034455}, {"instructions", 12, 2048526}}},
    {"simpleperf/perf_with_two_event_types.data", {{"cycles", 8, 3983917}, {"cpu-clock", 2, 500000}}},
    {"simpleperf/perf_with_mini_debug_info.data", {{"cycles", 1151, 1009957342}}},
    {"simpleperf/runtest_two_functions_arm64_perf.data", {{"cycles", 2, 1181761}}},
    {"simpleperf/two_process_perf.data", {{"cycles:u", 271, 69151241}}},
};

TEST_F(InfoOfTheCorpora, CountsSamplesAndPeriodsAsPerfDoes) {
  for (const auto& [file, totals] : perfs_totals) {
    SCOPED_TRACE(file);
    const json info = info_of(file);
    std::vector<EventTotals> found;
    for (const json& event : info["events"]) {
      if (event["samples"] != 0) found.push_back({event["name"], event["samples"], event["period_total"]});
    }
    EXPECT_EQ(found, totals);
  }
}

}  // namespace
}  // namespace perfsift::tools
