// The places of a picture's nodes, and the nodes that are drawn in viewers without scripts. The scripts draw the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/large_vector.h"
#include "output/flame/flame.h"
#include "output/flame/picture.h"

namespace perfsift::output {

// The measures of a picture, in pixels.
struct Measures {
  static constexpr double pad = 10;  // beside the frames

  explicit Measures(const FlameOptions& options);

  double width;
  double row;       // the height of a frame, with the gap to the next one
  double font;      // the size of the names
  double baseline;  // of a name, from the top of its frame

  double frames_width() const { return width - 2 * pad; }
};

struct DrawnNode {
  std::uint32_t node = 0;
  std::uint32_t row = 0;
  double x = 0;      // from the left of the frames
  double width = 0;  // in pixels
};

struct Drawing {
  std::vector<DrawnNode> nodes;  // in preorder
  std::uint32_t rows = 1;
};

// The whole picture: what is at least as wide as the options say.
Drawing draw(const Picture& picture, const FlameOptions& options, const Measures& measures);

// Cuts a text so that about so many pixels suffice; empty if there is no room for a name.
std::string fitted(std::string_view text, double width, double font_size);
// About so many pixels.
double text_width(std::string_view text, double font_size);
// Lines of at most about so many pixels.
std::vector<std::string> wrapped(const std::vector<std::string>& texts, double width, double font_size);

}  // namespace perfsift::output
