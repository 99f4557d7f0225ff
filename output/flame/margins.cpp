#include "output/flame/margins.h"

#include <algorithm>

#include "output/flame/layout.h"

namespace perfsift::output {
namespace {

constexpr double title_size = 18, text_size = 12;  // as in flame.css

// The room that the lines after the first one take.
double more_lines(const std::vector<std::string>& lines, double line) {
  return lines.size() > 1 ? line * static_cast<double>(lines.size() - 1) : 0;
}

}  // namespace

Head::Head(const FlameOptions& options, double width)
    : title(wrapped({options.title}, width, title_size)),
      subtitle(wrapped({options.subtitle.value_or("")}, width, text_size)) {
  const double longer_title = more_lines(title, title_line);
  subtitle_y = first_subtitle + longer_title;
  height = (subtitle.empty() ? 64 : 84) + longer_title + more_lines(subtitle, subtitle_line);
  status_y = height - 12;
}

Foot::Foot(const FlameOptions& options, const std::vector<LegendEntry>& entries, double width)
    : notes(wrapped(options.notes, width, text_size)) {
  constexpr double patch = 19, gap = 18, row = 18;
  double x = 0, y = 11;
  for (const LegendEntry& entry : entries) {
    const double entry_width = patch + text_width(entry.text, text_size);
    if (x > 0 && x + entry_width > width) {
      x = 0;
      y += row;
    }
    legend.push_back({.entry = entry, .x = x, .y = y});
    x += entry_width + gap;
  }
  const double legend_height = entries.empty() ? 0 : y + 15;
  notes_y = legend_height + 20;
  height = legend_height + (notes.empty() ? 0 : 8 + note_line * static_cast<double>(notes.size())) + Measures::pad;
}

}  // namespace perfsift::output
