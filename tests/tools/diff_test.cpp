// perfsift diff from the command line to its output. The expected intervals are worked out by hand from the formula in
// perfsift-diff(1).

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/paths.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::diff_tests {  // a unity build compiles other tests in the same file
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr const char* taken_for_samples =
    "counts are taken for samples; if they are weights, such as periods, the intervals are too narrow";

class DiffCommandLine : public ::testing::Test {
 protected:
  Outcome run(options::Arguments arguments) {
    arguments.insert(arguments.end(), {before_, after_});
    return run_command("diff", arguments);
  }

  test::TemporaryDirectory directory_;
  const std::string before_ = directory_.write("before", std::string_view("main;slow 601\nmain;old 300\nmain 99\n"));
  const std::string after_ = directory_.write("after", std::string_view("main;slow 301\nmain;new 100\nmain 99\n"));
};

TEST_F(DiffCommandLine, IsATableOfChanges) {
  EXPECT_EQ(run({"--sort", "symbol"}).out,
            "[no event]: counts taken for 1000 samples before, 500 after; self in percent of each side\n"
            "before   after    delta    from      to   change  samples  samples    total  symbol\n"
            "30.00%   0.00%  -30.00   -32.91  -27.14     gone      300        0  -30.00   old\n"
            " 0.00%  20.00%  +20.00   +16.71  +23.73      new        0      100  +20.00   new\n"
            " 9.90%  19.80%   +9.90    +6.07  +13.99  +100.0%       99       99   +0.00   main\n"
            "60.10%  60.20%   +0.10~   -5.18   +5.30    +0.2%      601      301   +0.10~  slow\n"
            "3 of 4 rows changed by more than chance does in 95 of 100 comparisons (no ~)\n"
            "\nbefore: " +
                std::string(taken_for_samples) + "\nafter: " + taken_for_samples + "\n");
}

TEST(DiffOfBuilds, NamesThatABuildMadeUpAreOne) {
  const test::TemporaryDirectory directory;
  const std::string before = directory.write("before", std::string_view("main;f.isra.0 60\nmain;f.cold 40\n"));
  const std::string after = directory.write("after", std::string_view("main;f.constprop.1 100\n"));
  const auto symbols = [&](options::Arguments arguments) {
    arguments.insert(arguments.end(), {"--json", "-q", before, after});
    std::vector<std::string> sorted;
    const Json json = Json::parse(run_command("diff", arguments).out);
    for (const Json& row : json["events"][0]["rows"]) sorted.push_back(row["symbol"]);
    std::ranges::sort(sorted);
    return sorted;
  };
  EXPECT_THAT(symbols({"--sort", "symbol"}), ::testing::ElementsAre("f", "main"));
  EXPECT_THAT(symbols({"--sort", "symbol", "--exact-names"}),
              ::testing::ElementsAre("f.cold", "f.constprop.1", "f.isra.0", "main"));
  EXPECT_EQ(run_command("diff", {"-q", "--folded", before, after}).out, "main;f 100 100\n");
  EXPECT_THAT(run_command("diff", {"-q", "--folded", "--exact-names", before, after}).out,
              HasSubstr("main;f.cold 40 0\n"));
}

// The names of perf maps contain the process.
TEST(DiffOfRuns, GeneratedCodeIsOneBinary) {
  const test::TemporaryDirectory directory;
  const auto run_of = [&](const std::string& pid) {
    const std::string sample = "java " + pid + " [000] 1.000001: 5 cycles:\n";
    const std::string map = " (/tmp/perf-" + pid + ".map)\n";
    return directory.write(pid, sample + "\t7f0000001000 Main.work" + map + "\t7f0000002000 Main.main" + map + "\n" +
                                    sample + "\t7f0000003000 [unknown]" + map + "\n");
  };
  const std::string before = run_of("28780"), after = run_of("28789");
  const auto rows = [&](std::string_view command) {
    std::vector<std::string> sorted;
    const Json json = Json::parse(run_command(command, {"--json", "-q", before, after}).out);
    for (const Json& row : json["events"][0]["rows"])
      sorted.push_back(row["symbol"].get<std::string>() + " " + row["dso"].get<std::string>());
    std::ranges::sort(sorted);
    return sorted;
  };
  const auto joined = ::testing::ElementsAre("Main.main [generated code]", "Main.work [generated code]",
                                             "[generated code] [generated code]");
  EXPECT_THAT(rows("diff"), joined);
  EXPECT_THAT(rows("report"), joined);
  EXPECT_THAT(run_command("report", {"-q", "--csv", before}).out, HasSubstr("perf-28780.map"));
}

TEST_F(DiffCommandLine, AbsoluteComparesWhatWasMeasured) {
  const Json json = Json::parse(run({"--absolute", "--json", "--sort", "symbol"}).out);
  EXPECT_EQ(json["delta_unit"], "value");
  const Json& rows = json["events"][0]["rows"];
  EXPECT_EQ(rows[0]["symbol"], "old");
  EXPECT_EQ(rows[0]["presence"], "gone");
  EXPECT_EQ(rows[0]["self"]["delta"], -300.0);
  EXPECT_EQ(rows[3]["symbol"], "main");
  EXPECT_EQ(rows[3]["self"]["significant"], false);
  EXPECT_EQ(rows[3]["total"]["delta"], -500.0);
}

TEST_F(DiffCommandLine, FoldedHasBothCounts) {
  EXPECT_EQ(run({"--folded", "--absolute"}).out, "main 99 99\nmain;new 0 100\nmain;old 300 0\nmain;slow 601 301\n");
  // The numbers are scaled by a half, and halves are rounded up.
  const std::string odd = directory_.write("odd", std::string_view("a 3\nb 997\n"));
  EXPECT_EQ(run_command("diff", {"--folded", odd, after_}).out,
            "a 2 0\nb 499 0\nmain 0 99\nmain;new 0 100\nmain;slow 0 301\n");
}

TEST_F(DiffCommandLine, SidesMayHaveSeveralFiles) {
  const Outcome outcome =
      run_command("diff", {"--before", before_, "--before", after_, "--after", after_, "--folded", "--absolute"});
  EXPECT_EQ(outcome.out, "main 198 99\nmain;new 100 100\nmain;old 300 0\nmain;slow 902 301\n");
  EXPECT_THAT(run_command("diff", {before_}).err, HasSubstr("two files are compared, not 1"));
  EXPECT_THAT(run_command("diff", {before_, after_, after_}).err, HasSubstr("--before A --before B --after C"));
  EXPECT_THAT(run_command("diff", {"--before", before_}).err, HasSubstr("each needs the other"));
  EXPECT_THAT(run_command("diff", {"--before", before_, "--after", after_, after_}).err, HasSubstr("name all files"));
  EXPECT_EQ(run_command("diff", {before_, directory_.path() / "none"}).status, input_unusable);
}

TEST_F(DiffCommandLine, OneSampleIsNoChange) {
  const std::string one = directory_.write("one", std::string_view("main;slow 600\nmain;old 300\nmain;x 1\nmain 99\n"));
  const Json json = Json::parse(run_command("diff", {"--json", "--sort", "symbol", before_, one}).out);
  for (const Json& row : json["events"][0]["rows"]) EXPECT_EQ(row["self"]["significant"], false) << row;
}

// perfsift fold writes periods: 250000 nanoseconds with perf record -F 4000 -e cpu-clock. The other text has the
// numbers of the same samples.
TEST_F(DiffCommandLine, WeightsOfSamplesAreNoSamples) {
  const auto text = [&](const std::string& name, std::initializer_list<std::pair<const char*, unsigned>> counts,
                        unsigned weight) {
    std::string lines;
    for (const auto& [stack, count] : counts) lines += stack + (" " + std::to_string(count * weight)) + "\n";
    return directory_.write(name, lines);
  };
  const auto compared = [&](unsigned weight) {
    const std::string before = text("weighed_before", {{"f", 7}, {"g", 30}, {"h", 9}}, weight);
    const std::string after = text("weighed_after", {{"f", 31}, {"g", 32}, {"h", 9}}, weight);
    return Json::parse(run_command("diff", {"--json", "--sort", "symbol", before, after}).out);
  };
  const Json counts = compared(1), periods = compared(250000);
  EXPECT_EQ(periods["events"][0]["before"]["samples"], 46);
  EXPECT_EQ(periods["events"][0]["before"]["value"], 46 * 250000);
  for (std::size_t row = 0; row < 3; ++row) {
    for (const char* member : {"delta", "low", "high", "significant"})
      EXPECT_EQ(periods["events"][0]["rows"][row]["self"][member], counts["events"][0]["rows"][row]["self"][member]);
  }
  EXPECT_EQ(counts["notes"][0], "before: " + std::string(taken_for_samples));
  EXPECT_EQ(periods["notes"][1], "after: counts are multiples of 250000, which is taken for the weight of a sample");
}

TEST_F(DiffCommandLine, SidesThatDoNotFitAreRefused) {
  const auto script = [&](const std::string& name, const std::string& event, const std::string& period) {
    return directory_.write(name,
                            "app 7/7 [000] 1.000000: " + period + event + ": \n\t401010 f+0x10 (/opt/bin/app)\n\n");
  };
  const std::string cycles = script("cycles", "cycles", "60 "), faults = script("faults", "page-faults", "60 ");
  const std::string unweighed = script("unweighed", "cycles", "");
  const Outcome events = run_command("diff", {cycles, faults});
  EXPECT_EQ(events.status, wrong_usage);
  EXPECT_THAT(events.err, HasSubstr("cycles before and page-faults after: record both sides with the same event"));
  EXPECT_THAT(run_command("diff", {"--before", cycles, "--before", faults, "--after", cycles}).err,
              HasSubstr("--event 'cycles' compares the event that both have"));
  EXPECT_THAT(run_command("diff", {cycles, unweighed}).err, HasSubstr("--weight samples"));
  EXPECT_EQ(run_command("diff", {"--weight", "samples", cycles, unweighed}).status, done);
  EXPECT_THAT(run_command("diff", {cycles, after_}).err,
              HasSubstr("perfsift fold makes folded text of the other side"));
  EXPECT_THAT(run({"--sort", "cpu"}).err, HasSubstr("nothing to compare"));
  EXPECT_THAT(run({"--json", "--folded"}).err, HasSubstr("choose one"));
}

TEST_F(DiffCommandLine, PicturesAreNamedByTheirOutput) {
  for (const char* name : {"diff.svg", "diff.html"}) {
    const std::string output = directory_.path() / name;
    EXPECT_EQ(run({"-o", output}).status, done);
    const std::string picture = test::content_of(output);
    EXPECT_THAT(picture, HasSubstr("What changed"));
    EXPECT_THAT(picture, HasSubstr("counts taken for 1000 samples before, 500 after"));
    EXPECT_THAT(picture, HasSubstr("before: " + std::string(taken_for_samples)));
  }
  EXPECT_THAT(run({"-o", directory_.path() / "x.svg", "--sort", "dso"}).err,
              HasSubstr("--sort and --limit are for tables"));
  EXPECT_THAT(run({"-o", directory_.path() / "x.svg", "--csv"}).err, "");
  const std::string bare = directory_.path() / "bare.svg";
  EXPECT_EQ(run({"-o", bare, "--subtitle", ""}).status, done);
  EXPECT_THAT(test::content_of(bare), Not(HasSubstr("class=\"subtitle\"")));
}

TEST_F(DiffCommandLine, PicturesSayWhatOptionsHaveChosenInTheUnitOfTheEvent) {
  const std::string demo = test::source_path("testdata/demo.data"), output = directory_.path() / "demo.svg";
  const auto drawn = [&](options::Arguments arguments) {
    arguments.insert(arguments.end(), {demo, demo, "-o", output});
    EXPECT_EQ(run_command("diff", arguments).status, done);
    return test::content_of(output);
  };
  const std::string picture = drawn({"--comms", "sorter", "--no-inline"});
  EXPECT_THAT(picture, HasSubstr(">279 of 563 samples before, 279 of 563 after, "));
  EXPECT_THAT(picture, HasSubstr(">only samples with comm in {&quot;sorter&quot;}</text>"));
  EXPECT_THAT(picture, HasSubstr(">no frames for inlined calls (--no-inline)</text>"));
  EXPECT_THAT(picture, HasSubstr("\"countName\":\"time\",\"nanoseconds\":true"));
  EXPECT_THAT(drawn({"--weight", "samples"}), HasSubstr("\"countName\":\"samples\",\"nanoseconds\":false"));
}

TEST_F(DiffCommandLine, TheNameOfTheOutputChoosesTheFormat) {
  const auto written = [&](const std::string& name, const options::Arguments& more = {}) {
    options::Arguments arguments{"-o", directory_.path() / name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run(arguments).status, done);
    return test::content_of(directory_.path() / name);
  };
  EXPECT_EQ(written("x.json"), run({"--json"}).out);
  EXPECT_EQ(written("x.csv"), run({"--csv"}).out);
  EXPECT_EQ(written("y.csv", {"--json"}), run({"--json"}).out);
  EXPECT_EQ(written("x.folded"), run({"--folded"}).out);
  EXPECT_EQ(written("z.json", {"--folded"}), run({"--folded"}).out);
  EXPECT_EQ(written("x.txt"), run({}).out);
  EXPECT_EQ(written("x.png", {"--csv"}), run({"--csv"}).out);
  for (const char* name : {"no.png", "no.pdf", "no.pb.gz"}) {
    const Outcome outcome = run({"-o", directory_.path() / name});
    EXPECT_EQ(outcome.status, wrong_usage);
    EXPECT_THAT(outcome.err, HasSubstr(": there are the endings .svg, .html, .htm, .json, .csv, .folded; --json,"));
  }
}

TEST_F(DiffCommandLine, StacksHaveNoLimit) {
  const Outcome outcome = run({"--folded", "--limit", "1"});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("--sort and --limit are for tables"));
}

// The amounts of a side equal those in its report.
TEST(DiffOfRecordings, SidesAreTheReports) {
  const std::string demo = test::source_path("testdata/demo.data"), symfs = test::source_path("testdata/symfs");
  const options::Arguments naming{"--json", "--symfs", symfs};
  const auto parsed = [&](std::string_view command, std::initializer_list<std::string> more) {
    options::Arguments arguments = naming;
    arguments.insert(arguments.end(), more);
    const Outcome outcome = run_command(command, arguments);
    EXPECT_EQ(outcome.status, done) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json rows = parsed("report", {demo})["events"][0]["rows"];
  const Json changes = parsed("diff", {demo, demo})["events"][0]["rows"];
  ASSERT_EQ(changes.size(), rows.size());
  for (const Json& change : changes) {
    EXPECT_EQ(change["self"]["before"], change["self"]["after"]);
    EXPECT_EQ(change["self"]["significant"], false);
    const auto same = std::ranges::find_if(
        rows, [&](const Json& row) { return row["symbol"] == change["symbol"] && row["dso"] == change["dso"]; });
    ASSERT_NE(same, rows.end());
    EXPECT_EQ((*same)["self"], change["self"]["before"]);
    EXPECT_EQ((*same)["total"], change["total"]["after"]);
  }
}

}  // namespace
}  // namespace perfsift::tools::diff_tests
