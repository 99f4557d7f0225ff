// Reads stacks from folded text: one "root;…;leaf COUNT" per line, as the stackcollapse scripts and bcc's -f write it.
// The last space separates the count, which has digits and may have a fraction. Lines that begin with "#" are comments.
// Text of a difference, as difffolded.pl writes it, has two counts: "root;…;leaf BEFORE AFTER".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/input/perf_script_text.h"

namespace perfsift::analysis {

// Valid only during the visitor's call.
struct FoldedStack {
  std::string_view text;                     // "root;…;leaf"
  std::span<const std::string_view> frames;  // root first; a frame may be empty
  // The value is count + fraction, so that whole numbers are exact.
  std::uint64_t count = 0;
  double fraction = 0;       // 0 <= fraction <= 1
  std::uint64_t before = 0;  // with FoldedCounts::two; `count` is the one after
};

enum class FoldedCounts : std::uint8_t {
  one,
  two,  // whole numbers
};

struct FoldedTextStats {
  std::uint64_t lines = 0;
  std::uint64_t stacks = 0;
  std::uint64_t with_samples = 0;  // stacks whose count is not 0
  std::uint64_t fractions = 0;     // stacks whose count is no whole number
  std::uint64_t comments = 0;
  std::uint64_t malformed = 0;
  BadLine first_malformed;
};

// Not thread-safe. Keeps no references to the lines.
class FoldedText {
 public:
  using Visitor = std::function<void(const FoldedStack&)>;

  explicit FoldedText(Visitor visitor, FoldedCounts counts = FoldedCounts::one);

  // Takes one line of input without its newline; a carriage return at the end is ignored. Lines of only white space are
  // ignored.
  void line(std::string_view line);

  const FoldedTextStats& stats() const { return stats_; }

 private:
  Visitor visitor_;
  const FoldedCounts counts_;
  FoldedTextStats stats_;
  std::vector<std::string_view> frames_;
};

// How many counts the stacks have: two, if all stacks in the first bytes of a text have them, as in flamegraph.pl.
// `is_cut`: the last line may go on.
FoldedCounts folded_counts(std::string_view first, bool is_cut);

}  // namespace perfsift::analysis
