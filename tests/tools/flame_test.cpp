// perfsift flame from the command line to its output. tests/browser/flame.py tests the picture in a browser.

#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/paths.h"
#include "tests/support/pprof_bytes.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::flame_command {  // a unity build compiles other tests in the same file
namespace {

using testing::HasSubstr;
using testing::Not;

class FlameTest : public testing::Test {
 protected:
  Outcome run(const options::Arguments& arguments) { return run_command("flame", arguments); }
  // The picture, written without a message.
  std::string picture(options::Arguments arguments) {
    arguments.push_back(folded_);
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, done) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  static nlohmann::json data_of(const std::string& picture) {
    const std::string begin = "class=\"perfsift-data\">";
    const std::size_t from = picture.find(begin) + begin.size();
    return nlohmann::json::parse(picture.substr(from, picture.find("</script>", from) - from));
  }

  void expect_wrong(const options::Arguments& arguments, const std::string& message) {
    options::Arguments all = arguments;
    all.push_back(folded_);
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.status, wrong_usage);
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_EQ(outcome.out, "");
  }

  const std::string demo_ = test::source_path("testdata/demo.data");
  test::TemporaryDirectory directory_;
  std::string folded_ = directory_.write("stacks", std::string_view("app;main;eval 3\napp;main;read_[k] 1\n"));
};

TEST_F(FlameTest, DefaultsSayWhatIsShown) {
  const std::string svg = picture({});
  EXPECT_TRUE(svg.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "));
  EXPECT_THAT(svg, HasSubstr(">Flame graph</text>"));
  EXPECT_THAT(svg, HasSubstr(">stacks: 4 samples</text>"));
  EXPECT_EQ(data_of(svg)["countName"], "samples");
  EXPECT_EQ(data_of(svg)["count"], 5);
}

TEST_F(FlameTest, TheNameOfTheOutputIsItsFormat) {
  const auto start = [&](const std::string& name, const options::Arguments& more = {}) {
    const std::string path = directory_.path() / name;
    options::Arguments arguments{"-o", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    picture(arguments);
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    return line;
  };
  EXPECT_EQ(start("a.html"), "<!DOCTYPE html>");
  EXPECT_EQ(start("a.htm"), "<!DOCTYPE html>");
  EXPECT_THAT(start("a.svg"), HasSubstr("<?xml"));
  EXPECT_THAT(start("a"), HasSubstr("<?xml"));
  EXPECT_EQ(start("b", {"--format", "html"}), "<!DOCTYPE html>");
  EXPECT_THAT(start("b.html", {"--format", "svg"}), HasSubstr("<?xml"));
}

TEST_F(FlameTest, OtherFormatsAreNotPictures) {
  for (const char* name : {"x.png", "x.pdf", "x.json", "x.csv", "x.folded", "x.pb.gz", "x.svg.gz", "x.jpg"}) {
    const std::string path = directory_.path() / name;
    expect_wrong({"-o", path}, name + std::string(": there are the endings .svg, .html, .htm; --format svg and"));
    EXPECT_FALSE(std::ifstream(path)) << name;
  }
  for (const char* name : {"x.2026", "x"}) EXPECT_EQ(picture({"-o", directory_.path() / name}), "");
  EXPECT_EQ(picture({"-o", directory_.path() / "x.png", "--format", "svg"}), "");
}

TEST_F(FlameTest, OptionsChangeWhatIsShown) {
  EXPECT_THAT(
      picture({"--title", "T", "--subtitle", "S", "--note", "N1", "--note", "N2"}),
      testing::AllOf(HasSubstr(">T</text>"), HasSubstr(">S</text>"), HasSubstr(">N1</text>"), HasSubstr(">N2</text>")));
  EXPECT_THAT(picture({"--subtitle", ""}), Not(HasSubstr("class=\"subtitle\"")));
  EXPECT_THAT(picture({"--inverted"}), HasSubstr(">Icicle graph</text>"));
  EXPECT_THAT(picture({"--reverse"}), HasSubstr(">Flame graph, from the leaves</text>"));
  EXPECT_THAT(picture({"--width", "500", "--font", "Courier", "--font-size", "11"}),
              HasSubstr("font-family=\"Courier\" font-size=\"11\""));
  EXPECT_THAT(picture({"--background", "#123456"}),
              testing::AllOf(HasSubstr(".paper { fill: #123456 }"), Not(HasSubstr("prefers-color-scheme"))));
  const nlohmann::json data = data_of(picture({"--count-name", "ticks", "--name-type", "Function:", "--factor", "0.5",
                                               "--search", "<a>", "--min-width", "1%", "--frame-height", "20"}));
  EXPECT_EQ(data["countName"], "ticks");
  EXPECT_EQ(data["nameType"], "Function:");
  EXPECT_EQ(data["factor"], 0.5);
  EXPECT_EQ(data["search"], "<a>");
  EXPECT_EQ(data["minShare"], 0.01);
  EXPECT_EQ(data["rowHeight"], 20);
}

TEST_F(FlameTest, APaletteMapColoursFunctions) {
  const std::string map = directory_.write("palette.map", std::string_view("a->b->rgb(0,0,0)\n\neval->rgb(1,2,3)\n"));
  EXPECT_THAT(picture({"--palette-map", map}), HasSubstr("{fill:#010203}"));
  for (const char* bad : {"eval", "eval->rgb(1,2)", "eval->rgb(1,2,256)", "eval->rgb(1,2,3)x", "eval->rgb(-1,2,3)"}) {
    const std::string path = directory_.write("bad.map", std::string_view(std::string("x->rgb(1,1,1)\n") + bad + "\n"));
    const Outcome outcome = run({"--palette-map", path, folded_});
    EXPECT_EQ(outcome.status, input_unusable) << bad;
    EXPECT_THAT(outcome.err, HasSubstr("bad.map: line 2 is not like FUNCTION->rgb(255,128,0): " + std::string(bad)));
  }
  EXPECT_EQ(run({"--palette-map", directory_.path() / "none", folded_}).status, input_unusable);
}

TEST_F(FlameTest, WrongOptionsAreRefused) {
  expect_wrong({"--format", "png"}, "--format png: there are svg and html");
  expect_wrong({"--palette", "java"}, "--palette java: there are kind, safe, dso");
  expect_wrong({"--background", "red"}, "--background red: there are #rrggbb, yellow, blue, green and grey");
  expect_wrong({"--min-width", "1em"}, "--min-width 1em: neither pixels");
  expect_wrong({"--min-width", "nan"}, "--min-width nan: neither pixels");
  expect_wrong({"--width", "-5"}, "--width -5: a number from 100 to 100000 is needed");
  expect_wrong({"--width", "nan"}, "--width nan: a number from");
  expect_wrong({"--font-size", "0"}, "--font-size 0: a number from 1 to 150 is needed");
  expect_wrong({"--frame-height", "1"}, "--frame-height 1: a number from");
  expect_wrong({"--factor", "0"}, "--factor 0: a number from");
  expect_wrong({"--font", "\"><script>"}, "not the name of a font");
  expect_wrong({"--total", "3"}, "--total 3: less than the sum, 4");
}

// flamegraph.pl draws the lines of difffolded.pl in this way.
TEST_F(FlameTest, TextWithTwoCountsIsADifference) {
  const std::string path = directory_.write("two.folded", std::string_view("main;a 10 30\nmain;b 40 0\n"));
  const auto drawn = [&](options::Arguments arguments) {
    arguments.push_back(path);
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, done) << outcome.err;
    return outcome.out;
  };
  const std::string svg = drawn({"--title", "T"});
  EXPECT_THAT(svg, HasSubstr(">T</text>"));
  EXPECT_THAT(svg, HasSubstr(">counts taken for 5 samples before, 3 after, as measured; grey: may be chance</text>"));
  EXPECT_THAT(svg, HasSubstr("counts are multiples of 10, which is taken for the weight of a sample"));
  EXPECT_EQ(data_of(svg)["difference"]["scale"], 1);
  EXPECT_EQ(data_of(svg)["difference"]["shares"], false);
  EXPECT_NE(drawn({"--negate"}), drawn({}));
  EXPECT_FALSE(data_of(drawn({"--event", "after"})).contains("difference"));
  EXPECT_THAT(run({"--negate", folded_}).err, HasSubstr("--negate: is for text with two counts"));
  EXPECT_THAT(run({"--total", "100", path}).err, HasSubstr("a difference has two totals"));
}

// The numbers of all samples and of samples with kernel frames, from the output of perf script.
TEST_F(FlameTest, ThePictureSaysWhatOptionsHaveChosen) {
  const std::string mixed = test::source_path("testdata/oracle/mixed.data");
  const auto drawn = [&](options::Arguments arguments) { return run_command("flame", arguments).out; };
  const std::string sorter = drawn({demo_, "--comms", "sorter", "--time", "0%-100%"});
  EXPECT_THAT(sorter, HasSubstr(">demo.data: 279 of 563 samples, cpu-clock:u</text>"));
  EXPECT_THAT(sorter, HasSubstr(">only samples with comm in {&quot;sorter&quot;}</text>"));
  EXPECT_THAT(sorter, HasSubstr(">only samples with time in 0%..100%</text>"));
  const std::string file = directory_.write("only.filter", std::string_view("tid == 26999\n"));
  EXPECT_THAT(drawn({demo_, "--filter-file", file}), HasSubstr(">only samples that " + file + " keeps</text>"));
  EXPECT_THAT(drawn({demo_, "--filter", "tid == 26999"}),
              testing::AllOf(HasSubstr(">demo.data: 283 of 563 samples, cpu-clock:u</text>"),
                             HasSubstr(">only samples with tid == 26999</text>")));
  const std::string kernel = drawn({mixed, "--kernel-only"});
  EXPECT_THAT(kernel, HasSubstr(">mixed.data: 19 of 83 samples, "));
  EXPECT_THAT(kernel,
              HasSubstr(">only frames of the kernel (--kernel-only); 64 of 83 samples have none, and count in the "
                        "shares of stacks below</text>"));
  const std::string depth = drawn({demo_, "--max-depth", "4"});
  EXPECT_THAT(depth, HasSubstr(">demo.data: 563 samples of cpu-clock:u</text>"));
  EXPECT_THAT(depth, HasSubstr(">stacks end after 4 frames (--max-depth)</text>"));
  EXPECT_THAT(drawn({demo_, "--max-stack", "3"}),
              HasSubstr(">stacks are unwound to at most 3 frames (--max-stack)</text>"));
  EXPECT_THAT(drawn({demo_, "--no-inline"}), HasSubstr(">no frames for inlined calls (--no-inline)</text>"));
  for (const char* words : {"only", "(--", "equally wide"}) EXPECT_THAT(drawn({demo_}), Not(HasSubstr(words)));
}

TEST_F(FlameTest, EventsAreNamedInTheOrderOfTheirColumns) {
  std::string text;
  for (const char* event : {"faults", "cycles", "misses"})
    text += std::string("app     7/7     [001] 1.000001:     5 ") + event + ":\n\t401000 work (/opt/app)\n\n";
  EXPECT_THAT(run({"-e", "*", directory_.write("events.script", text)}).out,
              HasSubstr(">events.script: 3 samples of cycles, faults, misses</text>"));
}

TEST_F(FlameTest, EachEventHasItsUnit) {
  const Outcome mixed = run({"-e", "*", test::source_path("testdata/oracle/mixed.data")});
  EXPECT_THAT(mixed.out, HasSubstr(">events are equally wide, because their amounts cannot be compared</text>"));
  const nlohmann::json units = data_of(mixed.out)["units"];
  ASSERT_EQ(units.size(), 6u);
  EXPECT_EQ(units[0], nlohmann::json({{"name", "time"}, {"nanoseconds", true}}));
  EXPECT_EQ(units[1], nlohmann::json({{"name", "page-faults/period=40/"}, {"nanoseconds", false}}));
  test::PprofBytes bytes(std::vector<test::PprofType>{
      {"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}});
  bytes.add("f", {1, 64, 1, 32});
  const std::string heap = directory_.write("heap.pb", bytes.bytes());
  const auto names = [&](options::Arguments arguments) {
    arguments.push_back(heap);
    const nlohmann::json data = data_of(run(arguments).out);
    std::vector<std::string> all;
    for (const nlohmann::json& unit : data["units"]) all.push_back(unit["name"]);
    return all;
  };
  EXPECT_THAT(names({"-e", "*"}), testing::ElementsAre("bytes", "bytes"));
  EXPECT_THAT(names({"-e", "*", "--weight", "samples"}), testing::ElementsAre("samples", "samples"));
  EXPECT_THAT(names({"-e", "*", "--count-name", "x"}), testing::ElementsAre("x", "x"));
}

TEST_F(FlameTest, APictureHasOneMeasureUnlessEventsAreChosen) {
  std::string text;
  for (const char* event : {"cycles", "cache-misses", "cache-references"})
    text += std::string("app     7/7     [001] 1.000001:     5 ") + event + ":\n\t401000 work (/opt/app)\n\n";
  const Outcome outcome = run({directory_.write("events.script", text)});
  EXPECT_THAT(outcome.out, HasSubstr(">events.script: 1 sample of cycles</text>"));
  EXPECT_THAT(outcome.out, HasSubstr(">this picture shows cycles, and not cache-misses, cache-references, which"));
  EXPECT_THAT(outcome.err, HasSubstr("events.script: shows cycles, and not cache-misses, cache-references, which"));
}

TEST_F(FlameTest, CollapsesRecursion) {
  const std::string text = directory_.write("x.folded", "app;main;f;g;f;f;h 2\napp;main;f;h 4\n");
  const Outcome outcome = run({"--collapse-recursion=cycles", text});
  EXPECT_THAT(outcome.out, HasSubstr(">what a function calls until it is called again is left out"));
  const Outcome same = run({"--note", "x", directory_.write("x.folded", "app;main;f;h 6\n")});
  const nlohmann::json shown = data_of(outcome.out), expected = data_of(same.out);
  EXPECT_EQ(shown["nodes"], expected["nodes"]);
}

TEST_F(FlameTest, WithoutSamplesThereIsNoPicture) {
  const std::string output = directory_.path() / "out.svg";
  const Outcome outcome = run({demo_, "--comms", "nobody", "-o", output});
  EXPECT_EQ(outcome.status, check_failed) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("0 of 563 samples match"));
  EXPECT_FALSE(std::ifstream(output));
}

TEST_F(FlameTest, AChartHasALaneForEachThread) {
  const Outcome outcome = run({demo_, "--flamechart"});
  EXPECT_EQ(outcome.status, done) << outcome.err;
  EXPECT_THAT(outcome.out, testing::AllOf(HasSubstr(">Flame chart</text>"), HasSubstr(">demo.data: 563 samples of")));
  const nlohmann::json data = data_of(outcome.out);
  EXPECT_EQ(data["kind"], "lanes");
  EXPECT_EQ(data["nanoseconds"], true);
  EXPECT_EQ(outcome.out, run({demo_, "--flamechart", "-j3"}).out);
}

// flamegraph.pl --flamechart does not sort lines either.
TEST_F(FlameTest, AChartOfFoldedTextKeepsTheOrderOfItsLines) {
  const std::string text = directory_.write("order", std::string_view("m;b 1\nm;a 1\nm;b 1\n"));
  const Outcome outcome = run({text, "--flamechart"});
  const nlohmann::json data = data_of(outcome.out);
  EXPECT_EQ(data["kind"], "graph");
  EXPECT_EQ(data["count"], 5);
  const std::size_t b = outcome.out.find(">b<"), a = outcome.out.find(">a<");
  EXPECT_LT(b, a);
  EXPECT_NE(outcome.out.find(">b<", a), std::string::npos);
}

TEST_F(FlameTest, AChartHasOneInputAndOneOrder) {
  expect_wrong({"--flamechart", "--reverse"}, "--flamechart cannot be combined with --reverse");
  expect_wrong({"--flamechart", "--total", "100"}, "--flamechart cannot be combined with --reverse");
  expect_wrong({"--flamechart", demo_}, "--flamechart: draws one input");
  const Outcome events = run({test::source_path("testdata/oracle/mixed.data"), "--flamechart"});
  EXPECT_EQ(events.status, wrong_usage);
  EXPECT_THAT(events.err, HasSubstr("--flamechart: choose one event by --event; there are "));
}

TEST_F(FlameTest, AChartSaysWhatItsOrderIs) {
  const std::string order = "from left to right: the order of the lines";
  EXPECT_THAT(run({folded_, "--flamechart"}).out, HasSubstr(order));
  EXPECT_THAT(run({folded_}).out, Not(HasSubstr(order)));
  const std::string pprof = directory_.path() / "profile.pb.gz";
  ASSERT_EQ(run_command("export", {"--to", "pprof", demo_, "-o", pprof}).status, done);
  const Outcome outcome = run({pprof, "--flamechart"});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("profile.pb.gz: --flamechart needs the times of samples"));
}

TEST_F(FlameTest, FractionsOfFoldedTextHaveAUnit) {
  const std::string text = directory_.write("fractions", std::string_view("a;b 1.5\na;c 2\n"));
  const nlohmann::json data = data_of(run({text}).out);
  EXPECT_EQ(data["countName"], "millionths");
}

TEST_F(FlameTest, TheInputIsNoOutput) {
  expect_wrong({"-o", folded_}, "is read");
  const std::string map = directory_.write("palette.map", std::string_view("f->rgb(1,1,1)\n"));
  expect_wrong({"--palette-map", map, "-o", map}, "is read");
}

// The demo: user code with inlined calls and kernel code, on a clock.
TEST_F(FlameTest, ARecordingHasTimesAndPlaces) {
  const Outcome one = run({demo_, "-j1"}), two = run({demo_, "-j2"});
  EXPECT_EQ(one.status, done) << one.err;
  EXPECT_EQ(one.out, two.out);
  const nlohmann::json data = data_of(one.out);
  EXPECT_EQ(data["frames"][0], nlohmann::json::array({""}));
  EXPECT_FALSE(data["binaries"].empty());
}

}  // namespace
}  // namespace perfsift::tools::flame_command
