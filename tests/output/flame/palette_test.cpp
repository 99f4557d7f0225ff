#include "output/flame/palette.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "output/flame/palette_shades.h"

namespace perfsift::output {
namespace {

using analysis::FrameKind;
using analysis::FrameOrigin;
using analysis::FrameTable;

using Colours = std::map<std::string, Colour, std::less<>>;

class PaletteOfFrames : public testing::Test {
 protected:
  unsigned class_of(PaletteName name, analysis::FrameId frame) {
    return Palette(name, frames_, colours_).class_of(frame);
  }

  FrameTable frames_;
  Colours colours_;
};

TEST_F(PaletteOfFrames, TheNameDecidesTheShade) {
  const auto one = frames_.intern("f", {.kind = FrameKind::user, .line = 1});
  const auto two = frames_.intern("f", {.kind = FrameKind::user, .line = 2});
  EXPECT_EQ(class_of(PaletteName::kind, one), class_of(PaletteName::kind, two));
  // The shade is fixed, because pictures of two releases are compared.
  EXPECT_EQ(class_of(PaletteName::hot, frames_.intern("main")), 9u);
}

TEST_F(PaletteOfFrames, KindsDiffer) {
  std::set<unsigned> classes;
  for (const FrameKind kind : {FrameKind::user, FrameKind::kernel, FrameKind::jit, FrameKind::thread, FrameKind::other})
    classes.insert(class_of(PaletteName::kind, frames_.intern("[f]", {.kind = kind})));
  classes.insert(class_of(PaletteName::kind, frames_.intern("[f]", {.kind = FrameKind::user, .inlined = true})));
  EXPECT_EQ(classes.size(), 6u);
}

TEST_F(PaletteOfFrames, FunctionsOfFoldedTextHaveTheColoursOfUserCode) {
  const auto marked = frames_.intern("f", {.kind = FrameKind::user});
  EXPECT_EQ(class_of(PaletteName::kind, frames_.intern("f")), class_of(PaletteName::kind, marked));
}

TEST_F(PaletteOfFrames, FunctionsOfABinaryHaveItsHue) {
  const auto of = [&](const char* path) { return frames_.binary({.path = path, .build_id = {}}); };
  const auto in_libc = frames_.intern("f", {.binary = of("/lib/libc.so.6")});
  const auto in_same_libc = frames_.intern("f", {.binary = of("/usr/lib/libc.so.6")});
  const auto in_app = frames_.intern("f", {.binary = of("/bin/app")});
  EXPECT_EQ(class_of(PaletteName::dso, in_libc), class_of(PaletteName::dso, in_same_libc));
  EXPECT_NE(class_of(PaletteName::dso, in_libc), class_of(PaletteName::dso, in_app));
}

TEST_F(PaletteOfFrames, TheLegendHasTheBinariesWithTheWidestFrames) {
  std::vector<DrawnFrame> drawn{{.frame = frames_.intern("thread", {.kind = FrameKind::thread}), .width = 1000}};
  std::set<std::string> expected;
  for (int i = 9; i > 0; --i) {
    const std::string path = "/bin/app" + std::to_string(i);
    const FrameOrigin origin{.kind = FrameKind::user, .binary = frames_.binary({.path = path, .build_id = {}})};
    drawn.push_back({.frame = frames_.intern("f", origin), .width = 10.0 * i});
    drawn.push_back({.frame = frames_.intern("g", origin), .width = i == 9 ? 0.0 : 100.0});
    if (i != 9) expected.insert("app" + std::to_string(i));
  }
  const Palette palette(PaletteName::dso, frames_, colours_);
  std::set<std::string> names, classes;
  for (const LegendEntry& entry : palette.legend(drawn)) {
    EXPECT_TRUE(classes.insert(entry.css_class).second) << entry.text;
    std::istringstream binaries(entry.text);  // binaries with the same hue
    for (std::string name; std::getline(binaries >> std::ws, name, ',');) names.insert(name);
  }
  EXPECT_EQ(names, expected);
  // A binary's hue has three shades. The function has one of them.
  for (const LegendEntry& entry : palette.legend(std::span(drawn).last(1)))
    EXPECT_EQ((std::stoul(entry.css_class.substr(1))) / 3, palette.class_of(drawn.back().frame) / 3);
}

// color_map() and the loop over nodes of flamegraph.pl.
TEST_F(PaletteOfFrames, SeparatorsAreGreyInEveryPalette) {
  const auto separator = frames_.intern("-"), separator_of_waker = frames_.intern("--");
  for (const std::string_view name : palette_names()) {
    const Palette palette(*palette_named(name), frames_, colours_);
    for (const auto frame : {separator, separator_of_waker}) {
      const std::string rule = ".c" + std::to_string(palette.class_of(frame)) + "{fill:#";
      const std::string css = palette.light_css();
      const std::string colour = css.substr(css.find(rule) + rule.size(), 6);
      const auto [least, most] = std::minmax({colour.substr(0, 2), colour.substr(2, 2), colour.substr(4, 2)});
      EXPECT_LE(std::stoi(most, nullptr, 16) - std::stoi(least, nullptr, 16), 16) << name << ' ' << colour;
    }
  }
  const Palette chain(PaletteName::chain, frames_, colours_);
  EXPECT_NE(chain.class_of(separator), chain.class_of(separator_of_waker));
}

TEST(Colours, AreDarkWhereLightTextIsReadable) {
  for (const char* dark : {"#000000", "#202020", "#0000ff", "#800000"})
    EXPECT_TRUE(is_dark(colour_of_css(dark))) << dark;
  for (const char* light : {"#ffffff", "#f8f0d8", "#00ff00", "#808080"})
    EXPECT_FALSE(is_dark(colour_of_css(light))) << light;
  EXPECT_EQ(css_text(colour_of_css("#0102fe")), "#0102fe");
}

TEST_F(PaletteOfFrames, OwnColoursAreAddedToTheStyle) {
  colours_ = {{"main", {.red = 1, .green = 2, .blue = 255}}};
  const auto main = frames_.intern("main");
  const Palette palette(PaletteName::hot, frames_, colours_);
  EXPECT_THAT(palette.light_css(),
              testing::HasSubstr(".c" + std::to_string(palette.class_of(main)) + "{fill:#0102ff}"));
}

TEST(PaletteNames, AreKnown) {
  for (const std::string_view name : palette_names()) EXPECT_TRUE(palette_named(name)) << name;
  EXPECT_EQ(palette_named("purple"), PaletteName::purple);
  EXPECT_FALSE(palette_named("java"));
}

constexpr unsigned unchanged = DifferencePalette::unchanged, most = unchanged + DifferencePalette::steps;

TEST(DifferenceColours, NoChangeHasNoColour) {
  EXPECT_EQ(DifferencePalette(1, false).class_of(100, 100), unchanged);
  EXPECT_EQ(DifferencePalette(1, false).class_of(0, 0), unchanged);
}

// With the relative change alone, one sample against none would have the strongest red.
TEST(DifferenceColours, OneSampleAgainstNoneIsPale) {
  EXPECT_LE(DifferencePalette(1, false).class_of(0, 1), unchanged + 3);
  EXPECT_LE(DifferencePalette(250'000, false).class_of(0, 250'000), unchanged + 3);
  EXPECT_GE(DifferencePalette(1, false).class_of(1, 0), unchanged - 3);
}

TEST(DifferenceColours, ManySamplesAgainstNoneAreDeep) {
  EXPECT_EQ(DifferencePalette(1, false).class_of(0, 1000), most);
  EXPECT_EQ(DifferencePalette(1, false).class_of(1000, 0), 0u);
  EXPECT_EQ(DifferencePalette(1, true).class_of(0, 1000), 0u);
}

TEST(DifferenceColours, AreBetweenTheEnds) {
  const DifferencePalette palette(1, false);
  EXPECT_GT(palette.class_of(1000, 1500), palette.class_of(1000, 1100));
  EXPECT_GT(palette.class_of(1000, 1100), unchanged);
}

// The colours of shades, as the rules of a style sheet, in their order.
std::string as_rules(const std::vector<Json>& groups, std::size_t theme) {
  std::string rules;
  std::size_t id = 0;
  for (const Json& group : groups) {
    for (const Json& shade : group)
      rules += ".c" + std::to_string(id++) + "{fill:" + shade[theme].get<std::string>() + "}";
  }
  return rules;
}

TEST(PaletteShades, AreTheColoursOfThePalettes) {
  const analysis::FrameTable frames;
  const std::map<std::string, Colour, std::less<>> colours;
  const Json all = palette_shades();
  for (const auto& [key, name] :
       {std::pair("kind", PaletteName::kind), {"safe", PaletteName::safe}, {"binary", PaletteName::dso}}) {
    const Palette palette(name, frames, colours);
    const std::vector<Json> groups(all[key].begin(), all[key].end());
    EXPECT_EQ(as_rules(groups, 0), palette.light_css()) << key;
    EXPECT_EQ(as_rules(groups, 1), palette.dark_css()) << key;
  }
  EXPECT_EQ(as_rules({all["change"]["shades"]}, 0), DifferencePalette::light_css());
  EXPECT_EQ(as_rules({all["change"]["shades"]}, 1), DifferencePalette::dark_css());
}

TEST(PaletteShades, HaveTheKindsOfPages) {
  const Json all = palette_shades();
  std::vector<std::string> kinds;
  for (const auto& [kind, shades] : all["safe"].items()) kinds.push_back(kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"other", "user", "inlined", "kernel", "jit", "thread"}));
}

}  // namespace
}  // namespace perfsift::output
