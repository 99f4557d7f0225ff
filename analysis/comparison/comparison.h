// The rows of two reports side by side, with their changes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/comparison/change.h"
#include "analysis/report/report.h"

namespace perfsift::analysis {

enum class ChangeOf : std::uint8_t {
  shares,  // shares of all samples of each side
  values,  // values as measured
};

// A row of one side, or of both. If a side does not have the row, its amounts are 0.
struct ComparedRow {
  std::vector<std::string_view> cells;
  Change self, total;
  bool inlined = false;  // inlined on every side that has the row

  bool is_new() const { return total.before == Amount(); }
  bool is_gone() const { return total.after == Amount(); }
};

struct ComparedTable {
  std::string_view event_name;
  Amount before, after;  // the amounts of all samples
  // Significant changes come first, then the other changes. The largest change comes first.
  std::vector<ComparedRow> rows;
  // Whether the change of each total equals the change of its self amount.
  bool totals_are_selves() const;
};

// One table for each event that both reports have. Both reports must have the same keys, and live longer.
std::vector<ComparedTable> compare(const Report& before, const Report& after, ChangeOf what, RowOrder order);

}  // namespace perfsift::analysis
