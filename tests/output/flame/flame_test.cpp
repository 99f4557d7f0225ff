// The contents of a flame graph without scripts: rectangles and names. The scripts are tested in a browser.

#include "output/flame/flame.h"

#include <filesystem>
#include <regex>

#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/support/temporary.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;
using analysis::FrameId;
using analysis::FrameKind;
using analysis::Profile;
using analysis::TreeAmounts;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A profile and the pictures of it.
class Flame : public testing::Test {
 protected:
  void add(const std::vector<std::string>& frames, std::uint64_t value, std::string_view event = "cycles") {
    std::vector<FrameId> ids;
    for (const std::string& frame : frames) {
      ids.push_back(profile_.frames().intern(frame, {.kind = FrameKind::user, .unnamed = frame.starts_with('[')}));
    }
    list_.add(profile_.event(event), ids, {.samples = value, .value = value});
  }

  std::string written(const FlameGraph& graph) {
    const std::string path = directory_.path() / "out.svg";
    OutputFile out(path);
    write_flame_graph(graph, options_, out);
    out.commit();
    return test::content_of(path);
  }
  std::string picture(bool events = false) {
    const CallTree tree(profile_, {.event_frames = events, .by_function = true}, 2);
    const TreeAmounts amounts(tree);
    return written({.amounts = &amounts, .event_columns = events});
  }

  // "name x y width class" for each frame that is wide enough for a name.
  static std::vector<std::string> frames_of(const std::string& svg) {
    static const std::regex frame(
        R"re(<rect class="(\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="16"/><text[^>]*>([^<]*)<)re");
    std::vector<std::string> frames;
    for (std::sregex_iterator found(svg.begin(), svg.end(), frame), end; found != end; ++found) {
      const std::smatch& match = *found;
      const std::string kind = match[1].str().starts_with('c') ? "" : " " + match[1].str();
      frames.push_back(match[5].str() + ' ' + match[2].str() + ' ' + match[3].str() + ' ' + match[4].str() + kind);
    }
    return frames;
  }

  test::TemporaryDirectory directory_;
  Profile profile_;
  analysis::StackList& list_ = profile_.new_list();
  FlameOptions options_{.width = 1020};
};

// The order is that of flamegraph.pl: a frame's own samples are on the left of its calls.
TEST_F(Flame, FramesAreAsWideAsTheirShare) {
  add({"main", "eval"}, 60);
  add({"main"}, 20);
  add({"other"}, 20);
  EXPECT_THAT(frames_of(picture()),
              ElementsAre("all 10 98 999.5 root", "main 10 81 799.5", "eval 210 64 599.5", "other 810 81 199.5"));
}

TEST_F(Flame, InvertedHasTheRootAtTheTop) {
  add({"main", "eval"}, 1);
  options_.inverted = true;
  EXPECT_THAT(frames_of(picture()), ElementsAre("all 10 64 999.5 root", "main 10 81 999.5", "eval 10 98 999.5"));
}

// Cycles and page faults cannot be added.
TEST_F(Flame, EventsAreColumnsOfTheSameWidth) {
  add({"main"}, 1'000'000, "cycles");
  add({"main"}, 1, "faults");
  EXPECT_THAT(frames_of(picture(true)), ElementsAre("all 10 98 999.5 root", "cycles 10 81 499.5", "main 10 64 499.5",
                                                    "faults 510 81 499.5", "main 510 64 499.5"));
}

TEST_F(Flame, NarrowFramesAreInPaths) {
  add({"a"}, 998);
  add({"b"}, 2);
  const std::string svg = picture();
  EXPECT_THAT(frames_of(svg), ElementsAre("all 10 81 999.5 root", "a 10 64 997.5"));
  EXPECT_THAT(svg, HasSubstr("\" d=\"M1008 64h2v16h-2z\"/>"));
  options_.least_width = {.pixels = 2.5};
  EXPECT_THAT(picture(), Not(HasSubstr("d=\"M1008")));
  options_.least_width = {.pixels = 0, .share = 0.01};
  EXPECT_THAT(picture(), Not(HasSubstr("d=\"M1008")));
}

TEST_F(Flame, FramesWithoutANameAreHatched) {
  add({"[app]"}, 1);
  const std::string svg = picture();
  EXPECT_THAT(frames_of(svg), ElementsAre("all 10 81 999.5 root", "[app] 10 64 999.5 u"));
  EXPECT_THAT(svg, HasSubstr("<text class=\"unnamed\""));
}

TEST_F(Flame, LongNamesAreCutBetweenCharacters) {
  add({"main"}, 9);
  add({"ééééééééééééééééééééé"}, 1);
  EXPECT_THAT(frames_of(picture()), testing::Contains("éééééééééééé… 910 64 99.5"));
}

TEST_F(Flame, ATotalLeavesRoomForWhatIsMissing) {
  add({"main"}, 50);
  options_.total = 100;
  EXPECT_THAT(frames_of(picture()), ElementsAre("all 10 81 999.5 root", "main 510 64 499.5"));
}

TEST_F(Flame, TextsAndNotesAreShown) {
  add({"main"}, 1);
  options_.title = "A <title>";
  options_.subtitle = "perf.data & more";
  options_.notes = {"lost: 3 samples", std::string(300, 'x')};
  const std::string svg = picture();
  EXPECT_THAT(svg, HasSubstr("<title id=\"perfsift-title\">A &lt;title&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr(">perf.data &amp; more</text>"));
  EXPECT_THAT(svg, HasSubstr(">lost: 3 samples</text>"));
  EXPECT_THAT(svg, HasSubstr(">" + std::string(138, 'x') + "</text>"));  // a line of 1000 pixels
}

// The mark of a waker is a colour and not a part of the name, as in flamegraph.pl.
TEST_F(Flame, MarksOfWakersAreNotShown) {
  add({"main", "wake_[w]"}, 1);
  EXPECT_THAT(frames_of(picture()), testing::Contains("wake 10 64 999.5"));
  EXPECT_THAT(picture(), Not(HasSubstr("wake_[w]")));
}

// The coordinates and lengths of texts. A character is 0.6 times as wide as the size of the font.
TEST_F(Flame, TextsFitANarrowPicture) {
  add({"main"}, 1);
  options_.width = 300;
  options_.title = "A title of more than one line of text";
  options_.subtitle = "a subtitle of more than one line of a narrow picture";
  options_.notes = {"a note of more than one line of a narrow picture"};
  const std::string svg = picture();
  EXPECT_THAT(svg, HasSubstr(">A title of more than one<tspan x=\"10\" dy=\"22\">line of text</tspan></text>"));
  EXPECT_THAT(svg,
              HasSubstr("y=\"72\">a subtitle of more than one line of a<tspan x=\"10\" dy=\"17\">narrow picture<"));
  EXPECT_THAT(svg, HasSubstr(">a note of more than one line of a</text>"));
  EXPECT_THAT(svg, HasSubstr(">narrow picture</text>"));
  EXPECT_THAT(frames_of(svg), testing::Contains("all 10 140 279.5 root"));
}

TEST_F(Flame, TheLegendHasSeveralRows) {
  for (const auto& [name, kind] :
       {std::pair("f", FrameKind::user), {"g", FrameKind::kernel}, {"h", FrameKind::jit}, {"t", FrameKind::thread}}) {
    const FrameId frame = profile_.frames().intern(name, {.kind = kind});
    list_.add(profile_.event("cycles"), std::vector{frame}, {.samples = 1, .value = 1});
  }
  options_.width = 200;
  const std::string svg = picture();
  const auto place = [&](const std::string& text) {
    const std::regex entry("<text class=\"legend\" x=\"([\\d.]+)\" y=\"([\\d.]+)\">" + text + "<");
    std::smatch match;
    EXPECT_TRUE(std::regex_search(svg, match, entry)) << text;
    return match[1].str() + ' ' + match[2].str();
  };
  EXPECT_EQ(place("user"), "29 20");
  EXPECT_EQ(place("kernel"), "94.8 20");
  EXPECT_EQ(place("made at run time"), "29 38");
  EXPECT_EQ(place("thread, event"), "29 56");
}

TEST_F(Flame, ColumnsHaveTheUnitsOfTheirEvents) {
  add({"main"}, 1, "cpu-clock");
  add({"main"}, 1, "faults");
  options_.units = {{"cpu-clock", {.name = "time", .nanoseconds = true}}, {"faults", {.name = "faults"}}};
  EXPECT_THAT(picture(true), HasSubstr("\"units\":[{\"name\":\"time\",\"nanoseconds\":true},"
                                       "{\"name\":\"faults\",\"nanoseconds\":false}]"));
}

TEST_F(Flame, TextsAreLightOnADarkGround) {
  add({"main"}, 1);
  const std::string light_title = ".title, .status { fill: #eceff2 }";
  options_.background = "#202020";
  EXPECT_THAT(picture(), testing::AllOf(HasSubstr(light_title), HasSubstr(".paper { fill: #202020 }"),
                                        Not(HasSubstr("prefers-color-scheme"))));
  options_.background = "#f8f0d8";
  EXPECT_THAT(picture(), Not(HasSubstr(light_title)));
}

TEST_F(Flame, ThereIsNoPictureOfNothing) { EXPECT_THROW(picture(), Error); }

TEST_F(Flame, HtmlHasTheSamePicture) {
  add({"main", "eval"}, 60);
  const std::vector<std::string> frames = frames_of(picture());
  options_.format = PictureFormat::html;
  const std::string html = picture();
  EXPECT_EQ(frames_of(html), frames);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>\n"));
}

// Threads number frames in the order in which they find them.
TEST_F(Flame, HtmlIsTheSameWhicheverFrameWasFoundFirst) {
  options_.format = PictureFormat::html;
  const auto html_of = [this](const std::vector<std::string>& found) {
    Profile profile;
    for (const std::string& frame : found) profile.frames().intern(frame, {.kind = FrameKind::user});
    const std::vector stack = {profile.frames().intern("main", {.kind = FrameKind::user}),
                               profile.frames().intern("eval", {.kind = FrameKind::user})};
    profile.new_list().add(profile.event("cycles"), stack, {.samples = 3, .value = 3});
    const CallTree tree(profile, {.by_function = true}, 2);
    const TreeAmounts amounts(tree);
    return written({.amounts = &amounts});
  };
  EXPECT_EQ(html_of({"eval", "main"}), html_of({}));
}

TEST_F(Flame, AChartHasLanesOfTheSameTime) {
  const auto node = [&](std::uint32_t depth, const char* name, std::uint64_t value) {
    const FrameId frame = name == nullptr ? analysis::StackTimeline::no_frame : profile_.frames().intern(name);
    return analysis::StackTimeline::Node{.frame = frame, .depth = depth, .self = {.samples = 1, .value = value}};
  };
  analysis::StackTimeline timeline{.has_lanes = true};
  for (const auto& added : {node(0, nullptr, 0), node(1, "one", 0), node(2, nullptr, 50), node(2, "a", 50),
                            node(1, "two", 0), node(2, "b", 25), node(2, nullptr, 75)}) {
    timeline.nodes.push_back(added);
  }
  options_.inverted = true;
  const std::string path = directory_.path() / "chart.svg";
  OutputFile out(path);
  write_flame_chart(timeline, profile_.frames(), options_, out);
  out.commit();
  EXPECT_THAT(frames_of(test::content_of(path)),
              ElementsAre("one 10 64 999.5", "a 510 81 499.5", "two 10 115 999.5", "b 10 132 249.5"));
}

// 10,000 frames, each too narrow to be drawn. The lane must still be full.
TEST_F(Flame, AChartOfNarrowFramesIsNotEmpty) {
  analysis::StackTimeline timeline{.has_lanes = true};
  timeline.nodes.push_back({});
  timeline.nodes.push_back({.frame = profile_.frames().intern("thread"), .depth = 1});
  for (int i = 0; i < 10'000; ++i) {
    const FrameId frame = profile_.frames().intern(i % 2 == 0 ? "a" : "b");
    timeline.nodes.push_back({.frame = frame, .depth = 2, .self = {.samples = 1, .value = 1}});
  }
  options_.inverted = true;
  const std::string path = directory_.path() / "narrow.svg";
  OutputFile out(path);
  write_flame_chart(timeline, profile_.frames(), options_, out);
  out.commit();
  const std::string svg = test::content_of(path);
  double drawn = 0;
  const std::regex piece("M[0-9.]+ 81h([0-9.]+)v");
  for (std::sregex_iterator match(svg.begin(), svg.end(), piece), end; match != end; ++match)
    drawn += std::stod((*match)[1]);
  EXPECT_NEAR(drawn, 1000, 1);
}

class FlameDifferences : public Flame {
 protected:
  // `stacks`: names, with their amounts before and after.
  std::string difference(const std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>>& stacks,
                         FlameDifference options = {}) {
    std::map<FrameId, std::pair<std::uint64_t, std::uint64_t>> amounts;
    for (const auto& [name, before, after] : stacks) {
      add({name}, 1);
      amounts[list_.entries()[list_.entries().size() - 1].leaf] = {before, after};
    }
    const CallTree tree(profile_, {.event_frames = false}, 1);
    std::vector<analysis::Amount> before(tree.size()), after(tree.size());
    for (CallTree::Node node = 1; node < tree.size(); ++node) {
      const auto [left, right] = amounts[tree.frame(node)];
      before[node] = {.samples = left, .value = left};
      after[node] = {.samples = right, .value = right};
    }
    const TreeAmounts all_before(tree, before), all_after(tree, after);
    options.before = &all_before;
    return written({.amounts = &all_after, .difference = &options});
  }
  static std::string class_of(const std::string& svg, const std::string& name) {
    const std::regex frame("<rect class=\"(\\w+)\"[^>]*/><text[^>]*>" + name + "<");
    std::smatch match;
    return std::regex_search(svg, match, frame) ? match[1].str() : "";
  }
};

TEST_F(FlameDifferences, WidthsAreTheMeanOfBothSides) {
  const std::string svg = difference({{"gone", 100, 0}, {"new", 0, 100}, {"same", 100, 100}});
  EXPECT_EQ(class_of(svg, "gone"), "c0");
  EXPECT_EQ(class_of(svg, "new"), "c16");
  EXPECT_EQ(class_of(svg, "same"), "c8");
  EXPECT_THAT(frames_of(svg),
              ElementsAre("all 10 81 999.5 root", "gone 10 64 249.5", "new 260 64 249.5", "same 510 64 499.5"));
}

TEST_F(FlameDifferences, BeforeIsScaled) {
  const std::string svg = difference({{"a", 100, 200}, {"b", 100, 200}}, {.scale = 2});
  EXPECT_EQ(class_of(svg, "a"), "c8");
}

TEST_F(FlameDifferences, NegatedSwapsTheColours) {
  EXPECT_EQ(class_of(difference({{"gone", 100, 0}, {"same", 1, 1}}, {.negated = true}), "gone"), "c16");
}

TEST_F(FlameDifferences, OneSampleAgainstNoneIsPale) {
  EXPECT_EQ(class_of(difference({{"new", 0, 1}, {"same", 3, 3}}), "new"), "c11");
}

TEST_F(FlameDifferences, InsignificantChangesAreGrey) {
  const std::string svg =
      difference({{"a", 100, 0}, {"b", 0, 100}}, {.is_significant = [](CallTree::Node node) { return node == 1; }});
  EXPECT_EQ(class_of(svg, "a"), "c0");
  EXPECT_EQ(class_of(svg, "b"), "c17");
}

}  // namespace
}  // namespace perfsift::output
