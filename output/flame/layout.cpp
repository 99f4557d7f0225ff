#include "output/flame/layout.h"

#include <algorithm>
#include <cmath>

#include "base/printable_utf8.h"

namespace perfsift::output {
namespace {

constexpr double mean_character = 0.6;  // its width by the size of the font, rather too much than too little

std::size_t characters(double width, double font_size) {
  return static_cast<std::size_t>(std::max(0.0, width / (font_size * mean_character)));
}

// The number of bytes of the first `count` characters of valid UTF-8.
std::size_t bytes_of_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    if (begins && count-- == 0) break;
  }
  return at;
}

// The starts of nodes, in shares of the picture's width (of a lane's width, for lanes): see place() in tree.js.
class Places {
 public:
  explicit Places(const Picture& picture) : picture_(picture), starts_(picture.nodes.size() + 1) {
    if (picture.kind == PictureKind::graph) {
      spread(0, picture.nodes.size(), 0, 1);
    } else {
      spread_bases();
    }
  }

  double start(std::size_t node) const { return starts_[node]; }
  double width(std::size_t node) const { return starts_[picture_.nodes[node].end] - starts_[node]; }

 private:
  // Columns or lanes.
  void spread_bases() {
    const std::size_t count = picture_.nodes.size();
    std::size_t bases = 0;
    for (std::size_t node = 1; node < count; node = picture_.nodes[node].end) ++bases;
    const double width = picture_.kind == PictureKind::lanes || bases == 0 ? 1 : 1 / static_cast<double>(bases);
    double left = 0;
    for (std::size_t node = 1; node < count; node = picture_.nodes[node].end, left += width)
      spread(node, picture_.nodes[node].end, left, width);
    starts_[count] = left;
  }

  void spread(std::size_t from, std::size_t until, double left, double width) {
    double total = 0, sum = 0;
    for (std::size_t node = from; node < until; ++node) total += picture_.weight(node);
    const double scale = total > 0 ? width / total : 0;
    for (std::size_t node = from; node < until; ++node) {
      starts_[node] = left + sum * scale;
      sum += picture_.weight(node);
    }
    starts_[until] = left + width;
  }

  const Picture& picture_;
  LargeVector<double> starts_;
};

// The first row of each lane.
std::vector<std::uint32_t> first_rows(const Picture& picture) {
  std::vector<std::uint32_t> rows{0};
  for (std::size_t lane = 1; lane < picture.nodes.size(); lane = picture.nodes[lane].end) {
    std::uint32_t deepest = 0;
    for (std::size_t node = lane; node < picture.nodes[lane].end; ++node)
      deepest = std::max(deepest, picture.nodes[node].depth);
    rows.push_back(rows.back() + deepest + 1);
  }
  return rows;
}

void append_wrapped(std::string_view text, std::size_t room, std::vector<std::string>& lines) {
  while (bytes_of_characters(text, room) < text.size()) {
    const std::size_t end = bytes_of_characters(text, room);
    const std::size_t blank = text.substr(0, end).rfind(' ');
    const std::size_t cut = blank == std::string_view::npos || blank == 0 ? end : blank;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(text[cut] == ' ' ? cut + 1 : cut);
  }
  if (!text.empty()) lines.emplace_back(text);
}

}  // namespace

Measures::Measures(const FlameOptions& options)
    : width(options.width > 0 ? options.width : 1200),
      row(options.frame_height),
      font(options.font_size),
      baseline(std::round((row - 1 + font * 0.72) / 2)) {}

Drawing draw(const Picture& picture, const FlameOptions& options, const Measures& measures) {
  const Places places(picture);
  const bool lanes = picture.kind == PictureKind::lanes;
  const std::vector<std::uint32_t> rows = lanes ? first_rows(picture) : std::vector<std::uint32_t>{0};
  const double size = measures.frames_width();
  const double narrowest = std::max(options.least_width.pixels, options.least_width.share * size);
  const double column = std::max(narrowest, 1.0);
  Drawing drawing;
  std::vector<double> drawn_until(rows.back());  // of lanes, by row
  std::size_t lane = 0;                          // of the nodes that follow, from 1
  for (std::size_t node = lanes ? 1 : 0; node < picture.nodes.size();) {
    const PictureNode& data = picture.nodes[node];
    if (lanes && data.depth == 1) ++lane;
    double x = (places.start(node) - static_cast<double>(lane > 0 ? lane - 1 : 0)) * size;
    double width = places.width(node) * size;
    const std::uint32_t row = lanes ? rows[lane - 1] + data.depth - 1 : data.depth;
    const bool gap = node != 0 && data.frame == PictureNode::no_frame;
    // A lane may have nothing but narrow frames: the first one of each column stands for them.
    const double column_left = std::floor(x / column) * column;
    const bool stands_for_column = lanes && !gap && width < column && column_left >= drawn_until[row] - 0.001;
    if (gap || (width < narrowest && !stands_for_column)) {
      node = data.end;
      continue;
    }
    if (stands_for_column) {
      x = column_left;
      width = column;
    }
    if (lanes) drawn_until[row] = x + width;
    drawing.nodes.push_back({.node = static_cast<std::uint32_t>(node), .row = row, .x = x, .width = width});
    drawing.rows = std::max(drawing.rows, row + 1);
    ++node;
  }
  if (lanes) drawing.rows = std::max(rows.back(), 1u);
  return drawing;
}

std::string fitted(std::string_view text, double width, double font_size) {
  const std::size_t room = characters(width, font_size);
  if (room < 3) return {};
  // A name may be very long: only its start is looked at. Each character has at most four bytes, or is escaped.
  std::string readable = printable_utf8(text.substr(0, room * 4 + 4));
  const std::size_t end = bytes_of_characters(readable, room);
  if (end == readable.size()) return readable;
  return readable.substr(0, bytes_of_characters(readable, room - 1)) + "…";
}

double text_width(std::string_view text, double font_size) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return static_cast<double>(std::ranges::count_if(text, begins)) * font_size * mean_character;
}

std::vector<std::string> wrapped(const std::vector<std::string>& texts, double width, double font_size) {
  std::vector<std::string> lines;
  const std::size_t room = std::max<std::size_t>(characters(width, font_size), 10);
  for (const std::string& text : texts) append_wrapped(printable_utf8(text), room, lines);
  return lines;
}

}  // namespace perfsift::output
