// The rows of two reports side by side, with their changes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/comparison/change.h"
#include "analysis/report/report.h"

namespace perfsift::analysis {

enum class ChangeOf : std::uint8_t {
  shares,  // of all samples of each side
  values,  // as measured
};

// A row of either side, or of both. A row that one side does not have has amounts of 0 there.
struct ComparedRow {
  std::vector<std::string_view> cells;
  Change self, total;
  bool inlined = false;  // on all sides that have it

  bool is_new() const { return total.before == Amount(); }
  bool is_gone() const { return total.after == Amount(); }
};

struct ComparedTable {
  std::string_view event_name;
  Amount before, after;  // all samples
  // Changes that are more than chance come first, then the others; the largest change first.
  std::vector<ComparedRow> rows;
  // Whether no change of a total differs from that of the self amount.
  bool totals_are_selves() const;
};

// One table for each event that both reports have. Both must be of the same keys; and must live longer.
std::vector<ComparedTable> compare(const Report& before, const Report& after, ChangeOf what, RowOrder order);

}  // namespace perfsift::analysis
