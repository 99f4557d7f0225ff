// The input of the scripts of a page. The description is read as JSON. The expected numbers are computed by hand.

#include "output/page/page_data.h"

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/table/table_builder.h"
#include "output/json.h"
#include "output/page/page.h"

namespace perfsift::output {
namespace {

using analysis::FrameId;
using ::testing::HasSubstr;
using ::testing::Not;

// A sample of thread 7/8 on main;work, and folded stacks.
class PageDataTest : public ::testing::Test {
 protected:
  PageDataTest() {
    const FrameId main = frame("main"), work = frame("work");
    const analysis::EventId cycles = profile_.event("cycles");
    analysis::StackList& list = profile_.new_list();
    list.add(cycles, std::vector<FrameId>{main, work}, {.samples = 3, .value = 30});
    list.add(cycles, std::vector<FrameId>{main}, {.samples = 1, .value = 5});
    const analysis::SampleRow sample{.time = 1000,
                                     .value = 10,
                                     .position = 0,
                                     .stack = 0,
                                     .context = rows_.context({.pid = 7, .tid = 8, .comm = evil_}),
                                     .cpu = 2,
                                     .event = cycles};
    rows_.append({&sample, 1});
  }

  FrameId frame(std::string_view name) { return profile_.frames().intern(name, {.kind = analysis::FrameKind::user}); }

  template <typename Use>
  void with_contents(Use&& use) {
    const analysis::CallTree tree(profile_, {.event_frames = false, .by_function = true}, 1);
    const analysis::LeafTable leaves(tree);
    if (!table_) table_ = std::move(rows_).seal(profile_);
    const analysis::SampleIndex samples(*table_, leaves);
    PageContents contents{.title = "<b>" + evil_,
                          .command = "perfsift view",
                          .naming = {"--symfs=it's"},
                          .version = "1",
                          .leaves = leaves,
                          .recordings = {}};
    contents.recordings.push_back({.name = evil_,
                                   .facts = {{"host", evil_}},
                                   .quality = {},
                                   .samples = samples,
                                   .kept_by = {"comm == \"it's\""}});
    use(contents);
  }

  Json description() {
    std::string data;
    with_contents([&](const PageContents& contents) { data = PageData(contents, 2).bytes(); });
    std::size_t size = 0;
    for (int byte = 0; byte < 4; ++byte) size |= std::size_t{static_cast<unsigned char>(data[byte])} << (8 * byte);
    return Json::parse(data.substr(4, size));
  }

  const std::string evil_ = "e\x1b[2J</script>\xff";
  analysis::Profile profile_;
  analysis::TableBuilder rows_;
  std::optional<analysis::SampleTable> table_;  // made from rows_ on first use
};

TEST_F(PageDataTest, NamesAndNodes) {
  const Json page = description();
  EXPECT_EQ(page["names"].dump(), R"(["main","work"])");
  EXPECT_EQ(page["events"].dump(), R"(["cycles"])");
  EXPECT_EQ(page["nodes"]["depth"]["count"], 2);
}

TEST_F(PageDataTest, AmountsThatAreNotInTheLogAreTheRest) {
  const Json rest = description()["recordings"][0]["rest"];
  EXPECT_EQ(rest["samples"]["count"], 2);  // two stacks, with 1 of 1 and 2 of 3 samples
  EXPECT_EQ(rest["leaf"]["count"], 2);
}

// A pprof profile has a sum for each stack, thread and CPU.
TEST_F(PageDataTest, SumsHaveTheirThreadAndCpu) {
  const auto context = [&](std::int32_t tid) {
    return rows_.context({.pid = 7, .tid = tid, .comm = "sum", .cgroup = "/web"});
  };
  rows_.append({.amount = {.samples = 2, .value = 20}, .stack = 0, .context = context(9), .cpu = 4});
  rows_.append({.amount = {.samples = 1, .value = 5}, .stack = 1, .context = context(9), .cpu = 2});
  const Json recording = description()["recordings"][0], &rest = recording["rest"];
  EXPECT_EQ(recording["threads"].dump(), R"([[7,8,"e\\x1b[2J</script>\\xff",0,1,1],[7,9,"sum",1,1,1]])");
  EXPECT_EQ(recording["cpus"].dump(), "[2,4]");
  EXPECT_EQ(recording["cgroups"].dump(), R"(["/web"])");
  EXPECT_EQ(rest["cgroup"]["all"], 1);  // the first group
  EXPECT_EQ(rest["thread"]["all"], 2);  // the second thread
  EXPECT_EQ(rest["samples"]["count"], 2);
}

TEST_F(PageDataTest, WordsOfCommandsAreQuotedForShells) {
  const Json page = description(), recording = page["recordings"][0];
  EXPECT_EQ(page["shellNaming"].dump(), R"x(["'--symfs=it'\\''s'"])x");
  EXPECT_EQ(recording["shellPath"], R"($'e\x1b[2J</script>\xff')");
  EXPECT_EQ(recording["shellFilters"].dump(), R"x(["'comm == \"it'\\''s\"'"])x");
}

TEST_F(PageDataTest, ControlCharactersAreEscaped) {
  const Json recording = description()["recordings"][0];
  EXPECT_EQ(recording["facts"][0][1], recording["name"]);
  EXPECT_THAT(recording["name"].get<std::string>(), ::testing::StartsWith(R"(e\x1b[2J</script>)"));
  EXPECT_EQ(recording["threads"][0][2], recording["name"]);
}

TEST_F(PageDataTest, ThePageHasNoMarkupOfTheRecording) {
  std::string page, again;
  const auto append_to = [](std::string& text) { return [&text](std::string_view part) { text += part; }; };
  with_contents([&](const PageContents& contents) { write_report_page(contents, 1, append_to(page)); });
  with_contents([&](const PageContents& contents) { write_report_page(contents, 5, append_to(again)); });
  EXPECT_EQ(page, again);
  EXPECT_THAT(page, HasSubstr(R"(<title>&lt;b&gt;e\x1b[2J&lt;/script&gt;)"));
  EXPECT_THAT(page, Not(HasSubstr("<b>e")));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace perfsift::output
