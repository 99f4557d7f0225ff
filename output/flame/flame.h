// Flame graphs: the stacks of a profile as a picture, in one file that needs no network.
//
// An SVG opens in any viewer. In a browser, SVG and HTML zoom, search, and show what is known about each frame.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "analysis/table/stack_timeline.h"
#include "output/files/output_file.h"
#include "output/flame/palette.h"

namespace perfsift::output {

// The unit of amounts.
struct AmountUnit {
  std::string name = "samples";
  bool nanoseconds = false;  // amounts are times
  bool operator==(const AmountUnit&) const = default;
};

// Shows what changed: frames get the colour of their change, and their width is the mean of both sides, so that stacks
// that have vanished are still seen.
struct FlameDifference {
  const analysis::TreeAmounts* before = nullptr;  // of the same tree
  double scale = 1;                               // multiplies the amounts before, to compare unequal totals
  bool of_shares = false;                         // the shares of each side are compared, not the amounts
  bool negated = false;                           // red for less
  // Whether a change is more than chance; frames whose change is not are grey. Empty: all are.
  std::function<bool(analysis::CallTree::Node node)> is_significant;
};

struct FlameGraph {
  const analysis::TreeAmounts* amounts = nullptr;
  bool event_columns = false;  // the first frames of the tree are events: each gets an equal share of the width
  const FlameDifference* difference = nullptr;
};

enum class PictureFormat : std::uint8_t { svg, html };

// The width below which a frame is left out until the viewer zooms in.
struct LeastWidth {
  double pixels = 0.25;
  double share = 0;  // of the picture
  bool operator==(const LeastWidth&) const = default;
};

struct FlameOptions {
  PictureFormat format = PictureFormat::svg;
  std::string title = "Flame graph";
  std::optional<std::string> subtitle;  // nothing: the usual one, if the caller has one
  std::vector<std::string> notes;       // what is lost, cut or has no name, for the foot of the picture
  std::string search;                   // a regular expression

  double width = 0;  // in pixels; 0: that of the window, 1200 in viewers without scripts
  LeastWidth least_width;
  double frame_height = 17;
  double font_size = 12;
  std::string font = "Verdana, DejaVu Sans, Helvetica, sans-serif";
  std::string background;  // #rrggbb; empty: by the viewer's setting, light or dark
  PaletteName palette = PaletteName::kind;
  std::map<std::string, Colour, std::less<>> colours;  // of functions, instead of the palette's

  bool inverted = false;  // the root at the top
  bool reversed = false;  // the tree is reversed
  std::string name_type;  // a word before the name of a frame
  AmountUnit unit;
  std::map<std::string, AmountUnit, std::less<>> units;  // of events that are columns, instead of `unit`
  double factor = 1;                                     // multiplies the amounts that are shown
  std::uint64_t total = 0;                               // what is 100 %; 0: the sum

  bool has_subtitle() const { return !subtitle.value_or("").empty(); }
  bool operator==(const FlameOptions&) const = default;
};

// Throws Error if the amounts are all 0: there is no picture of nothing.
void write_flame_graph(const FlameGraph& graph, const FlameOptions& options, OutputFile& out);

// A flame chart: the stacks in the order of time. `frames` are those of the timeline. With lanes, amounts are times.
// Throws Error if there are no stacks.
void write_flame_chart(const analysis::StackTimeline& timeline, const analysis::FrameTable& frames,
                       const FlameOptions& options, OutputFile& out);

}  // namespace perfsift::output
