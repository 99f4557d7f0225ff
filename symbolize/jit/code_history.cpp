#include "symbolize/jit/code_history.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace perfsift::symbolize {

namespace {

bool covers_something(const CodeHistory::Piece& piece) { return piece.end > piece.start; }

// A set of addresses, as stretches. Adjacent stretches are joined.
class CoveredAddresses {
 public:
  // Adds a stretch. Whether any of its addresses was covered before.
  bool add(std::uint64_t start, std::uint64_t end) {
    auto at = ends_.upper_bound(start);
    if (at != ends_.begin() && std::prev(at)->second >= start) --at;
    bool overlaps = false;
    while (at != ends_.end() && at->first <= end) {
      overlaps = overlaps || (at->first < end && at->second > start);
      start = std::min(start, at->first);
      end = std::max(end, at->second);
      at = ends_.erase(at);
    }
    ends_.emplace_hint(at, start, end);
    return overlaps;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;  // by start
};

// Calls visit(node) for the nodes of a segment tree with `leaves` leaves that together stand for [first, last).
template <typename Visit>
void for_each_node(std::size_t leaves, std::size_t first, std::size_t last, Visit visit) {
  for (first += leaves, last += leaves; first < last; first /= 2, last /= 2) {
    if (first % 2 != 0) visit(first++);
    if (last % 2 != 0) visit(--last);
  }
}

}  // namespace

CodeHistory::CodeHistory(std::span<const Piece> pieces) {
  since_.reserve(pieces.size());
  for (const Piece& piece : pieces) since_.push_back(piece.since);
  build_tree(pieces);
  find_changes(pieces);
}

void CodeHistory::build_tree(std::span<const Piece> pieces) {
  for (const Piece& piece : pieces) {
    if (covers_something(piece)) bounds_.insert(bounds_.end(), {piece.start, piece.end});
  }
  std::ranges::sort(bounds_);
  bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());

  const std::size_t leaves = bounds_.size();
  const auto for_each_entry = [&](auto visit) {
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
      if (!covers_something(pieces[i])) continue;
      const auto place = [&](std::uint64_t bound) {
        return static_cast<std::size_t>(std::ranges::lower_bound(bounds_, bound) - bounds_.begin());
      };
      for_each_node(leaves, place(pieces[i].start), place(pieces[i].end), [&](std::size_t node) { visit(node, i); });
    }
  };
  list_starts_.resize(2 * leaves + 1);
  for_each_entry([&](std::size_t node, std::uint32_t) { ++list_starts_[node + 1]; });
  std::partial_sum(list_starts_.begin(), list_starts_.end(), list_starts_.begin());
  covering_.resize(list_starts_.back());
  std::vector<std::size_t> next(list_starts_.begin(), list_starts_.end() - 1);
  for_each_entry([&](std::size_t node, std::uint32_t piece) { covering_[next[node]++] = piece; });
}

void CodeHistory::find_changes(std::span<const Piece> pieces) {
  CoveredAddresses covered;
  for (const Piece& piece : pieces) {
    if (!covers_something(piece) || !covered.add(piece.start, piece.end)) continue;
    if (changes_.empty() || changes_.back() != piece.since) changes_.push_back(piece.since);
  }
}

std::optional<std::uint32_t> CodeHistory::find(std::uint64_t address, std::uint64_t time) const {
  const auto after = std::ranges::upper_bound(bounds_, address);
  if (after == bounds_.begin() || after == bounds_.end()) return std::nullopt;
  const auto leaf = static_cast<std::size_t>(std::prev(after) - bounds_.begin());

  // Pieces are numbered in the order of time.
  std::optional<std::uint32_t> latest, next;
  for (std::size_t node = leaf + bounds_.size(); node != 0; node /= 2) {
    const std::span list(covering_.data() + list_starts_[node], covering_.data() + list_starts_[node + 1]);
    const auto later = std::ranges::upper_bound(list, time, {}, [&](std::uint32_t piece) { return since_[piece]; });
    if (later != list.begin()) latest = std::max(latest, std::optional(*std::prev(later)));
    if (later != list.end()) next = next ? std::min(*next, *later) : *later;
  }
  return latest ? latest : next;
}

}  // namespace perfsift::symbolize
