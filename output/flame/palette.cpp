#include "output/flame/palette.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/path.h"
#include "base/printable_utf8.h"

namespace perfsift::output {
namespace {

using analysis::FrameId;
using analysis::FrameKind;
using analysis::FrameOrigin;
using analysis::FrameTable;

constexpr std::array<std::string_view, 15> names_of_palettes = {"kind",   "safe",  "dso",    "chain", "hot",
                                                                "mem",    "io",    "wakeup", "red",   "orange",
                                                                "yellow", "green", "aqua",   "blue",  "purple"};

constexpr unsigned hues_of_binaries = 24;

// Hue in degrees; saturation and lightness as shares.
struct Hsl {
  double hue = 0;
  double saturation = 0;
  double lightness = 0;
};

Colour colour_of(const Hsl& hsl) {
  const double range = hsl.saturation * std::min(hsl.lightness, 1 - hsl.lightness);
  const auto part = [&](double offset) {
    const double k = std::fmod(offset + hsl.hue / 30, 12);
    const double share = hsl.lightness - range * std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0);
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
  };
  return {.red = part(0), .green = part(8), .blue = part(4)};
}

// FNV-1a: the same on all machines.
std::uint32_t name_hash(std::string_view text) {
  std::uint32_t hash = 2166136261;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return hash ^ hash >> 15;
}

// The groups of shades of PaletteName::kind and safe, and their names in the legend.
enum class KindGroup : std::uint8_t { other, user, inlined, kernel, jit, thread };
constexpr std::string_view names_of_kinds[] = {"other", "user", "inlined", "kernel", "jit", "thread"};
constexpr std::string_view group_names[] = {"", "user", "inlined", "kernel", "made at run time", "thread, event"};

KindGroup kind_group(const FrameTable& frames, FrameId frame) {
  const FrameOrigin& origin = frames.origin(frame);
  switch (origin.kind) {
    case FrameKind::event:
    case FrameKind::cgroup:
    case FrameKind::thread:
      return KindGroup::thread;
    case FrameKind::kernel:
      return KindGroup::kernel;
    case FrameKind::jit:
      return KindGroup::jit;
    case FrameKind::user:
      return origin.inlined ? KindGroup::inlined : KindGroup::user;
    case FrameKind::other:
      break;
  }
  // Folded text does not say what a frame is; only frames that are no functions stand out.
  const std::string_view text = frames.text(frame);
  return text.starts_with('[') || text.starts_with('-') ? KindGroup::other : KindGroup::user;
}

std::string rules(std::size_t count, const std::function<Colour(std::size_t)>& colour) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format(".c{}{{fill:{}}}", i, css_text(colour(i)));
  return text;
}

Colour mixed(const Colour& from, const Colour& to, double share) {
  const auto part = [share](int a, int b) { return static_cast<std::uint8_t>(std::lround(a + (b - a) * share)); };
  return {.red = part(from.red, to.red), .green = part(from.green, to.green), .blue = part(from.blue, to.blue)};
}

// The neutral, the strongest less and the strongest more, and the colour of what may be chance.
struct DifferenceColours {
  Colour neutral, less, more, insignificant;

  Colour of(std::size_t number) const {
    if (number == DifferencePalette::insignificant) return insignificant;
    const double step = static_cast<double>(number) - DifferencePalette::unchanged;
    return mixed(neutral, step < 0 ? less : more, std::abs(step) / DifferencePalette::steps);
  }
};
constexpr DifferenceColours light_difference = {.neutral = {0xf4, 0xf1, 0xea},
                                                .less = {0x5b, 0x9b, 0xe0},
                                                .more = {0xf0, 0x6a, 0x4f},
                                                .insignificant = {0xd6, 0xd9, 0xdd}};
constexpr DifferenceColours dark_difference = {.neutral = {0x55, 0x54, 0x50},
                                               .less = {0x1d, 0x5f, 0xb0},
                                               .more = {0xb5, 0x36, 0x22},
                                               .insignificant = {0x3a, 0x3f, 0x46}};

}  // namespace

// Shades from a hue to another.
struct Palette::Hue {
  double from = 0, to = 0;
  double saturation = 0.8;
  double lightness = 0.72;
  unsigned shades = 8;
};

std::string css_text(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

Colour colour_of_css(std::string_view text) {
  const auto part = [&](std::size_t at) {
    std::uint8_t number = 0;
    std::from_chars(text.data() + at, text.data() + at + 2, number, 16);
    return number;
  };
  return {.red = part(1), .green = part(3), .blue = part(5)};
}

// Uses the relative luminance of WCAG 2: 0.18 has the same contrast with both colours of text.
bool is_dark(const Colour& colour) {
  const auto linear = [](std::uint8_t part) {
    const double share = part / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue) < 0.18;
}

std::optional<PaletteName> palette_named(std::string_view name) {
  const auto* const found = std::ranges::find(names_of_palettes, name);
  if (found == names_of_palettes.end()) return {};
  return static_cast<PaletteName>(found - names_of_palettes.begin());
}

std::span<const std::string_view> palette_names() { return names_of_palettes; }

Palette::Palette(PaletteName name, const FrameTable& frames, const std::map<std::string, Colour, std::less<>>& colours)
    : name_(name), frames_(frames), colours_(colours) {
  const auto one = [this](double from, double to) { add_group({.from = from, .to = to, .shades = 16}); };
  switch (name) {
    case PaletteName::kind:
      add_group({.from = 210, .to = 210, .saturation = 0.08, .lightness = 0.86});  // other
      add_group({.from = 20, .to = 38, .saturation = 0.92});                       // user
      add_group({.from = 55, .to = 64, .saturation = 0.8, .lightness = 0.75});     // inlined
      add_group({.from = 206, .to = 220, .saturation = 0.75, .lightness = 0.76});  // kernel
      add_group({.from = 128, .to = 150, .saturation = 0.45, .lightness = 0.7});   // made at run time
      add_group({.from = 215, .to = 215, .saturation = 0.14, .lightness = 0.78});  // threads
      break;
    case PaletteName::safe:  // hues of Okabe and Ito: they differ in lightness, too
      add_group({.from = 0, .to = 0, .saturation = 0, .lightness = 0.88, .shades = 4});
      add_group({.from = 36, .to = 36, .saturation = 0.95, .lightness = 0.6, .shades = 4});
      add_group({.from = 55, .to = 55, .saturation = 0.85, .lightness = 0.76, .shades = 4});
      add_group({.from = 202, .to = 202, .saturation = 0.77, .lightness = 0.68, .shades = 4});
      add_group({.from = 164, .to = 164, .saturation = 0.6, .lightness = 0.48, .shades = 4});
      add_group({.from = 0, .to = 0, .saturation = 0, .lightness = 0.76, .shades = 4});
      break;
    case PaletteName::dso:
      for (unsigned i = 0; i < hues_of_binaries; ++i)
        add_group({.from = 15.0 * i, .to = 15.0 * i, .saturation = 0.65, .shades = 3});
      add_group({.from = 210, .to = 210, .saturation = 0.08, .lightness = 0.82, .shades = 3});
      break;
    case PaletteName::chain:
      one(205, 225);
      one(172, 188);
      break;
    case PaletteName::hot:
      add_group({.from = 2, .to = 54, .saturation = 0.9, .lightness = 0.68, .shades = 32});
      break;
    case PaletteName::mem:
      one(95, 150);
      break;
    case PaletteName::io:
      one(195, 235);
      break;
    case PaletteName::wakeup:
    case PaletteName::aqua:
      one(172, 188);
      break;
    case PaletteName::red:
      one(0, 8);
      break;
    case PaletteName::orange:
      one(24, 34);
      break;
    case PaletteName::yellow:
      one(48, 58);
      break;
    case PaletteName::green:
      one(105, 135);
      break;
    case PaletteName::blue:
      one(208, 222);
      break;
    case PaletteName::purple:
      one(272, 295);
      break;
  }
  if (name > PaletteName::dso) add_separators();
  groups_.push_back(shades_.size());
  for (const auto& [function, colour] : colours_) shades_.push_back({.light = colour, .dark = colour});
}

// flamegraph.pl puts '-' between the kernel's and the user's part of a stack, '--' between a stack and its waker. The
// palettes before chain have a grey for frames that are no functions.
void Palette::add_separators() {
  add_group({.saturation = 0, .lightness = 0.78, .shades = 1});
  add_group({.saturation = 0, .lightness = 0.63, .shades = 1});
}

void Palette::add_group(const Hue& hue) {
  groups_.push_back(shades_.size());
  for (unsigned i = 0; i < hue.shades; ++i) {
    const double share = hue.shades < 2 ? 0 : static_cast<double>(i) / (hue.shades - 1);
    // Neighbours in hue differ in lightness.
    const double lighter = (static_cast<double>(i * 5 % 8) / 7 - 0.5) * 0.07;
    const double degrees = hue.from + (hue.to - hue.from) * share;
    shades_.push_back(
        {.light = colour_of({.hue = degrees, .saturation = hue.saturation, .lightness = hue.lightness + lighter}),
         .dark = colour_of({.hue = degrees, .saturation = hue.saturation * 0.62, .lightness = 0.31 + lighter})});
  }
}

std::size_t Palette::kind_of(FrameId frame) const { return static_cast<std::size_t>(kind_group(frames_, frame)); }

std::size_t Palette::group_of(FrameId frame) const {
  switch (name_) {
    case PaletteName::kind:
    case PaletteName::safe:
      return kind_of(frame);
    case PaletteName::dso: {
      const std::string_view binary = binary_name(frame);
      return binary.empty() ? hues_of_binaries : name_hash(binary) % hues_of_binaries;
    }
    default:
      break;
  }
  const std::string_view text = frames_.text(frame);
  if (text == "--") return groups_.size() - 2;
  if (text == "-") return groups_.size() - 3;
  return name_ == PaletteName::chain && text.ends_with("_[w]") ? 1 : 0;
}

std::string_view Palette::binary_name(FrameId frame) const { return base_name(frames_.binary_of(frame)); }

Palette::ClassId Palette::class_of(FrameId frame) const {
  const std::string_view text = frames_.text(frame);
  if (const auto own = colours_.find(text); own != colours_.end())
    return static_cast<ClassId>(groups_.back() + static_cast<std::size_t>(std::distance(colours_.begin(), own)));
  const std::size_t group = group_of(frame);
  const std::size_t first = groups_[group], count = groups_[group + 1] - first;
  return static_cast<ClassId>(first + name_hash(text) % count);
}

std::vector<LegendEntry> Palette::legend(std::span<const DrawnFrame> frames) const {
  if (name_ == PaletteName::kind || name_ == PaletteName::safe) return legend_of_kinds(frames);
  if (name_ == PaletteName::dso) return legend_of_binaries(frames);
  return {};
}

std::vector<LegendEntry> Palette::legend_of_kinds(std::span<const DrawnFrame> frames) const {
  std::vector<LegendEntry> entries;
  std::array<bool, std::size(group_names)> used{};
  for (const auto& [frame, width] : frames) used[kind_of(frame)] |= !frames_.origin(frame).unnamed;
  for (std::size_t group = 1; group < used.size(); ++group) {
    if (used[group]) entries.push_back({.css_class = class_of_group(group), .text = std::string(group_names[group])});
  }
  return entries;
}

std::vector<LegendEntry> Palette::legend_of_binaries(std::span<const DrawnFrame> frames) const {
  constexpr std::size_t most = 8;
  std::map<std::string_view, DrawnFrame> by_name;  // a frame of the binary, and the width of all of them
  for (const auto& [frame, width] : frames) {
    const std::string_view name = binary_name(frame);
    if (!name.empty()) by_name.try_emplace(name, DrawnFrame{.frame = frame}).first->second.width += width;
  }
  std::vector<std::pair<std::string_view, DrawnFrame>> widest(by_name.begin(), by_name.end());
  std::ranges::stable_sort(widest, std::ranges::greater{}, [](const auto& binary) { return binary.second.width; });
  widest.resize(std::min(widest.size(), most));
  std::vector<LegendEntry> entries;
  for (const auto& [name, drawn] : widest) {
    const std::string css_class = class_of_group(group_of(drawn.frame));
    const auto same_hue = std::ranges::find(entries, css_class, &LegendEntry::css_class);
    if (same_hue == entries.end()) {
      entries.push_back({.css_class = css_class, .text = printable_utf8(name)});
    } else {
      same_hue->text += ", " + printable_utf8(name);
    }
  }
  return entries;
}

std::string Palette::class_of_group(std::size_t group) const { return fmt::format("c{}", groups_[group] + 1); }

std::string Palette::light_css() const {
  return rules(shades_.size(), [this](std::size_t i) { return shades_[i].light; });
}

std::string Palette::dark_css() const {
  return rules(groups_.back(), [this](std::size_t i) { return shades_[i].dark; });
}

std::vector<std::span<const Palette::Shade>> Palette::groups() const {
  std::vector<std::span<const Shade>> all;
  for (std::size_t group = 0; group + 1 < groups_.size(); ++group)
    all.push_back(std::span(shades_).subspan(groups_[group], groups_[group + 1] - groups_[group]));
  return all;
}

std::span<const std::string_view> Palette::kind_names() { return names_of_kinds; }

// The relative change, drawn towards none by the weight of a few samples: one sample more than none says little.
unsigned DifferencePalette::class_of(double before, double after) const {
  const double sum = before + after + few_samples * one_sample_;
  const double change = sum > 0 ? (after - before) / sum : 0;
  const double step = std::round(std::sqrt(std::abs(change)) * steps) * (change < 0 ? -1 : 1) * (negated_ ? -1 : 1);
  return static_cast<unsigned>(unchanged + static_cast<int>(step));
}

Palette::Shade DifferencePalette::shade(unsigned class_id) {
  return {.light = light_difference.of(class_id), .dark = dark_difference.of(class_id)};
}

std::string DifferencePalette::light_css() {
  return rules(insignificant + 1, [](std::size_t i) { return shade(static_cast<unsigned>(i)).light; });
}

std::string DifferencePalette::dark_css() {
  return rules(insignificant + 1, [](std::size_t i) { return shade(static_cast<unsigned>(i)).dark; });
}

std::vector<LegendEntry> DifferencePalette::legend() const {
  const unsigned less = negated_ ? unchanged + steps - 1 : 1, more = negated_ ? 1 : unchanged + steps - 1;
  return {{.css_class = fmt::format("c{}", less), .text = "less"},
          {.css_class = fmt::format("c{}", unchanged), .text = "no change"},
          {.css_class = fmt::format("c{}", more), .text = "more"},
          {.css_class = fmt::format("c{}", insignificant), .text = "may be chance"}};
}

}  // namespace perfsift::output
