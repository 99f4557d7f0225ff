// The code at an address at a time, for memory that is reused for other code.
//
// Pieces of code come in the order of time; a later one hides what lay there before:
//
//   address  ^
//            |        |-- c -------------     pieces: a b c d
//            |  |-- b ------------------      changes: the time of d, as d alone lies where code was before
//            | a ------|-- d -----------
//            +--------------------------> time
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace perfsift::symbolize {

// Immutable, so thread-safe.
class CodeHistory {
 public:
  struct Piece {
    std::uint64_t start = 0;
    std::uint64_t end = 0;  // exclusive
    std::uint64_t since = 0;
  };

  CodeHistory() = default;
  // `pieces`: in ascending order of `since`; of two at the same time, the second counts. Empty pieces cover nothing.
  explicit CodeHistory(std::span<const Piece> pieces);

  // The index of the piece at `address` at `time`. For times before the first piece, the first piece (an agent that is
  // loaded late announces code that existed before). O(log² n).
  std::optional<std::uint32_t> find(std::uint64_t address, std::uint64_t time) const;

  // The times, ascending, at which an address with code got other code. Between two of these times no address changes.
  const std::vector<std::uint64_t>& changes() const { return changes_; }

 private:
  void build_tree(std::span<const Piece> pieces);
  void find_changes(std::span<const Piece> pieces);

  std::vector<std::uint64_t> since_;   // by piece
  std::vector<std::uint64_t> bounds_;  // all starts and ends, ascending, each once
  // A segment tree over the stretches between two bounds. The pieces that cover a stretch are those of its leaf and of
  // all nodes above it; each node lists them in the order of time. So pieces that cover many stretches, which a hostile
  // file is full of, are in O(log n) lists only. Lists lie one after the other in `covering_`.
  std::vector<std::size_t> list_starts_;  // by node; one more than there are nodes
  std::vector<std::uint32_t> covering_;
  std::vector<std::uint64_t> changes_;
};

}  // namespace perfsift::symbolize
