// The colours of frames. A name always has the same colour.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/frame_table.h"

namespace perfsift::output {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};

// #rrggbb
std::string css_text(const Colour& colour);
// The colour of css_text().
Colour colour_of_css(std::string_view text);
// Whether light text is easier to read on the colour than dark text.
bool is_dark(const Colour& colour);

enum class PaletteName : std::uint8_t {
  kind,  // user, inlined, kernel, made at run time, threads
  safe,  // the same for all kinds of colour vision
  dso,   // a hue for each binary
  chain,
  hot,
  mem,
  io,
  wakeup,
  red,
  orange,
  yellow,
  green,
  aqua,
  blue,
  purple,
};

// Nothing for an unknown name.
std::optional<PaletteName> palette_named(std::string_view name);
// All names, in the order of PaletteName.
std::span<const std::string_view> palette_names();

// A line of the legend.
struct LegendEntry {
  std::string css_class;
  std::string text;
};

// A frame of a picture, and how wide all its rectangles are together.
struct DrawnFrame {
  analysis::FrameId frame = 0;
  double width = 0;
};

// The classes of a picture's frames: "c" and a number. The style sheet has a light and a dark colour for each.
class Palette {
 public:
  using ClassId = std::uint32_t;
  struct Shade {
    Colour light, dark;
  };

  Palette(PaletteName name, const analysis::FrameTable& frames,
          const std::map<std::string, Colour, std::less<>>& colours);

  ClassId class_of(analysis::FrameId frame) const;
  // The meaning of the colours, in palettes whose colours have one: the kinds of these frames, or the binaries with the
  // widest ones, those of the same hue in one entry.
  std::vector<LegendEntry> legend(std::span<const DrawnFrame> frames) const;
  // Rules for light and for dark backgrounds.
  std::string light_css() const;
  std::string dark_css() const;
  // The shades among which the hash of a name chooses, group by group: of PaletteName::kind and safe in the order of
  // kind_names(); of dso one for each hash of a binary, and one for frames without a binary.
  std::vector<std::span<const Shade>> groups() const;
  static std::span<const std::string_view> kind_names();

 private:
  struct Hue;

  void add_group(const Hue& hue);
  void add_separators();
  std::size_t group_of(analysis::FrameId frame) const;
  std::size_t kind_of(analysis::FrameId frame) const;
  std::string_view binary_name(analysis::FrameId frame) const;
  std::vector<LegendEntry> legend_of_kinds(std::span<const DrawnFrame> frames) const;
  std::vector<LegendEntry> legend_of_binaries(std::span<const DrawnFrame> frames) const;
  std::string class_of_group(std::size_t group) const;

  const PaletteName name_;
  const analysis::FrameTable& frames_;
  const std::map<std::string, Colour, std::less<>>& colours_;
  std::vector<std::size_t> groups_;  // the first shade of each group of shades, and one behind the last
  std::vector<Shade> shades_;        // by class
};

// The classes of a difference: c0 for much less to c16 for much more, c8 for no change, and one for changes that may
// be chance.
class DifferencePalette {
 public:
  static constexpr unsigned unchanged = 8, steps = 8, insignificant = 17;
  static constexpr double few_samples = 6;  // whose weight draws a change towards none

  // `one_sample`: what a sample amounts to, on average. An amount of few samples gets a pale colour, regardless of its
  // relative change.
  DifferencePalette(double one_sample, bool negated) : one_sample_(one_sample), negated_(negated) {}

  unsigned class_of(double before, double after) const;

  static Palette::Shade shade(unsigned class_id);
  static std::string light_css();
  static std::string dark_css();
  std::vector<LegendEntry> legend() const;

 private:
  const double one_sample_;
  const bool negated_;
};

}  // namespace perfsift::output
