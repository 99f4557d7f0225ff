#include "analysis/profile/ranked_frames.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "base/path.h"

namespace perfsift::analysis {
namespace {

// A frame in a line of folded text.
struct LineKey {
  std::string_view text;
  bool inner;
  FrameId frame;

  // Compares as if inner texts ended with ';'. If texts are equal, the leaf comes first, because its text is shorter.
  bool operator<(const LineKey& other) const {
    const std::size_t common = std::min(text.size(), other.text.size());
    if (const int order = text.substr(0, common).compare(other.text.substr(0, common))) return order < 0;
    if (text.size() == other.text.size()) return !inner && other.inner;
    if (text.size() < other.text.size()) return !inner || ';' < static_cast<unsigned char>(other.text[common]);
    return other.inner && static_cast<unsigned char>(text[common]) < ';';
  }
  bool is_same_as(const LineKey& other) const { return inner == other.inner && text == other.text; }
};

// Ranks by the number of the plain frame.
std::vector<std::uint32_t> ranks_of_texts(const FrameTable& frames) {
  std::vector<FrameId> plain;
  for (FrameId frame = 0; frame < frames.size(); ++frame) {
    if (frames.plain(frame) == frame) plain.push_back(frame);
  }
  std::ranges::sort(plain, {}, [&](FrameId frame) { return frames.text(frame); });
  std::vector<std::uint32_t> ranks(frames.size());
  for (std::uint32_t rank = 0; rank < plain.size(); ++rank) ranks[plain[rank]] = rank;
  return ranks;
}

// Ranks by the number of the binary. Binaries with the same file name have the same rank.
std::vector<std::uint32_t> ranks_of_binaries(const FrameTable& frames) {
  std::vector<std::string_view> names;
  for (const FrameBinary& binary : frames.binaries()) names.push_back(base_name(binary.path));
  std::vector<std::string_view> sorted(names);
  std::ranges::sort(sorted);
  std::vector<std::uint32_t> ranks;
  for (const std::string_view name : names)
    ranks.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, name) - sorted.begin()));
  return ranks;
}

// The first values that FrameTable::compare() compares, as numbers. With addresses there are many frames of few
// functions, so comparing numbers is faster than comparing texts.
struct TreeKey {
  std::uint64_t function = 0;  // text and kind
  std::uint64_t place = 0;     // binary and line
  std::uint64_t address = 0;
  FrameId frame = 0;
};

std::vector<TreeKey> tree_keys(const FrameTable& frames) {
  const std::vector<std::uint32_t> texts = ranks_of_texts(frames), binaries = ranks_of_binaries(frames);
  std::vector<TreeKey> keys;
  keys.reserve(frames.size());
  for (FrameId frame = 0; frame < frames.size(); ++frame) {
    const FrameOrigin& origin = frames.origin(frame);
    const bool in_binary = origin.binary != FrameOrigin::none;
    const std::uint32_t kind = static_cast<std::uint32_t>(origin.kind) << 3 | std::uint32_t{origin.inlined} << 2 |
                               std::uint32_t{origin.unnamed} << 1 | std::uint32_t{in_binary};
    const std::uint32_t binary = in_binary && origin.kind != FrameKind::jit ? binaries[origin.binary] : 0;
    keys.push_back({.function = std::uint64_t{texts[frames.plain(frame)]} << 32 | kind,
                    .place = std::uint64_t{binary} << 32 | origin.line,
                    .address = origin.address,
                    .frame = frame});
  }
  return keys;
}

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
  std::vector<TreeKey> sorted = tree_keys(frames);
  std::ranges::sort(sorted, [&](const TreeKey& a, const TreeKey& b) {
    const auto numbers = [](const TreeKey& key) { return std::tie(key.function, key.place, key.address); };
    return numbers(a) != numbers(b) ? numbers(a) < numbers(b) : frames.compare(a.frame, b.frame) < 0;
  });
  for (const TreeKey& key : sorted) {
    const FrameId frame = key.frame;
    const bool again = by_function && count() > 1 && frames.same_function(frames_.back(), frame);
    if (!again) frames_.push_back(frame);
    inner_[frame] = leaf_[frame] = count() - 1;
  }
}

}  // namespace perfsift::analysis
