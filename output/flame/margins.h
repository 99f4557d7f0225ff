// The text around the frames of a picture, in lines that fit the width: the title and the line below it, the legend,
// and the notes. Viewers without scripts show these lines; margins.js makes them anew for the width of the window.
#pragma once

#include <string>
#include <vector>

#include "output/flame/flame.h"
#include "output/flame/palette.h"

namespace perfsift::output {

// Above the frames.
struct Head {
  static constexpr double first_title = 30, title_line = 22, first_subtitle = 50, subtitle_line = 17;

  Head(const FlameOptions& options, double width);

  std::vector<std::string> title, subtitle;
  double subtitle_y = 0;  // the baseline of its first line
  double status_y = 0;    // the baseline of the line above the frames
  double height = 0;
};

// Below the frames; all places are from the top of the foot.
struct Foot {
  static constexpr double note_line = 17;
  struct PlacedEntry {
    LegendEntry entry;
    double x = 0, y = 0;  // of its patch
  };

  Foot(const FlameOptions& options, const std::vector<LegendEntry>& entries, double width);

  std::vector<PlacedEntry> legend;
  std::vector<std::string> notes;
  double notes_y = 0;  // the baseline of the first note
  double height = 0;
};

}  // namespace perfsift::output
