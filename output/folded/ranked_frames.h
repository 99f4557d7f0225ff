// Frames numbered by the order of their texts, and the texts as a line of folded text holds them.
//
// Every frame gets two ranks: one for its text followed by ';' (somewhere inside a stack), one for its text alone (the
// leaf). Ranks are numbered by the bytewise order of those texts. As no text holds a ';', comparing two stacks rank by
// rank is comparing their lines byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/frame_table.h"

namespace perfsift::output {

// Immutable, so thread-safe.
class RankedFrames {
 public:
  // `texts`: by FrameId.
  explicit RankedFrames(const std::vector<std::string_view>& texts);

  // The ranks of a frame. No frame has rank 0: it is less than every frame, and fills the end of short stacks.
  std::uint32_t inner(analysis::FrameId frame) const { return inner_[frame]; }
  std::uint32_t leaf(analysis::FrameId frame) const { return leaf_[frame]; }
  // One more than the highest rank.
  std::uint32_t count() const { return static_cast<std::uint32_t>(rendered_.size()); }

  // The frame's text and what follows it in a line.
  std::string_view rendered(std::uint32_t rank) const {
    const Place& place = rendered_[rank];
    return {all_.data() + place.start, place.size};
  }
  // So many bytes may be read from the start of each rendered text, even of a shorter one.
  static constexpr std::size_t readable = 64;

 private:
  struct Place {
    std::size_t start = 0;
    std::size_t size = 0;
  };
  std::vector<std::uint32_t> inner_, leaf_;
  std::vector<Place> rendered_;
  std::string all_;  // the rendered texts, in one piece
};

}  // namespace perfsift::output
