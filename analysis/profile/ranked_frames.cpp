#include "analysis/profile/ranked_frames.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace perfsift::analysis {
namespace {

// A frame in a line of folded text.
struct LineKey {
  std::string_view text;
  bool inner;
  FrameId frame;

  // Compares as if inner texts ended with ';'. Of equal texts the leaf, which is shorter, comes first.
  bool operator<(const LineKey& other) const {
    const std::size_t common = std::min(text.size(), other.text.size());
    if (const int order = text.substr(0, common).compare(other.text.substr(0, common))) return order < 0;
    if (text.size() == other.text.size()) return !inner && other.inner;
    if (text.size() < other.text.size()) return !inner || ';' < static_cast<unsigned char>(other.text[common]);
    return other.inner && static_cast<unsigned char>(text[common]) < ';';
  }
  bool is_same_as(const LineKey& other) const { return inner == other.inner && text == other.text; }
};

}  // namespace

RankedFrames::RankedFrames(const FrameTable& frames, StackOrder order)
    : inner_(frames.size()), leaf_(frames.size()), frames_{0} {
  if (order == StackOrder::lines) {
    rank_lines(frames);
  } else {
    rank_tree(frames, order == StackOrder::functions);
  }
}

RankedFrames::RankedFrames(std::span<const std::uint32_t> numbers)
    : inner_(numbers.size()), leaf_(numbers.size()), frames_{0} {
  for (FrameId frame = 0; frame < numbers.size(); ++frame) {
    if (numbers[frame] == unused) continue;
    const std::uint32_t rank = numbers[frame] + 1;
    inner_[frame] = leaf_[frame] = rank;
    if (rank >= count()) frames_.resize(rank + 1, frame);
    frames_[rank] = frame;
  }
}

void RankedFrames::rank_lines(const FrameTable& frames) {
  std::vector<LineKey> keys;
  keys.reserve(std::size_t{2} * frames.size());
  for (FrameId frame = 0; frame < frames.size(); ++frame) {
    keys.push_back({frames.text(frame), true, frame});
    keys.push_back({frames.text(frame), false, frame});
  }
  std::ranges::sort(keys, std::less{});
  const LineKey* before = nullptr;
  for (const LineKey& key : keys) {
    if (before == nullptr || !before->is_same_as(key)) frames_.push_back(key.frame);
    (key.inner ? inner_ : leaf_)[key.frame] = count() - 1;
    before = &key;
  }
}

void RankedFrames::rank_tree(const FrameTable& frames, bool by_function) {
  std::vector<FrameId> sorted(frames.size());
  std::iota(sorted.begin(), sorted.end(), FrameId{0});
  std::ranges::sort(sorted, [&](FrameId a, FrameId b) { return frames.compare(a, b) < 0; });
  for (const FrameId frame : sorted) {
    const bool again = by_function && count() > 1 && frames.same_function(frames_.back(), frame);
    if (!again) frames_.push_back(frame);
    inner_[frame] = leaf_[frame] = count() - 1;
  }
}

}  // namespace perfsift::analysis
