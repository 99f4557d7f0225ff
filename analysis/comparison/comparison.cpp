#include "analysis/comparison/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace perfsift::analysis {
namespace {

using Cells = std::vector<std::string_view>;

// The rows of both sides with equal cells.
struct Sides {
  const ReportRow* before = nullptr;  // nullptr: no such row
  const ReportRow* after = nullptr;
};

class TableComparison {
 public:
  TableComparison(const ReportTable& before, const ReportTable& after, ChangeOf what)
      : before_(before), after_(after), what_(what) {}

  ComparedTable table(RowOrder order) const {
    ComparedTable table{.event_name = before_.event_name, .before = before_.all, .after = after_.all, .rows = {}};
    for (const auto& [cells, sides] : sides_by_cells()) table.rows.push_back(row(cells, sides));
    const auto rank = [&](const ComparedRow& row) {
      const Change& first = order == RowOrder::self ? row.self : row.total;
      const Change& second = order == RowOrder::self ? row.total : row.self;
      return std::tuple(first.significant, std::abs(first.delta), second.significant, std::abs(second.delta));
    };
    // The rows are in the order of their cells.
    std::ranges::stable_sort(table.rows, std::ranges::greater{}, rank);
    return table;
  }

 private:
  std::map<Cells, Sides> sides_by_cells() const {
    std::map<Cells, Sides> sides;
    for (const ReportRow& row : before_.rows) sides[row.cells].before = &row;
    for (const ReportRow& row : after_.rows) sides[row.cells].after = &row;
    return sides;
  }

  ComparedRow row(const Cells& cells, const Sides& sides) const {
    static const ReportRow none{.cells = {}, .self = {}, .total = {}, .inlined = true};
    const ReportRow& before = sides.before != nullptr ? *sides.before : none;
    const ReportRow& after = sides.after != nullptr ? *sides.after : none;
    return {.cells = cells,
            .self = change(before.self, after.self),
            .total = change(before.total, after.total),
            .inlined = before.inlined && after.inlined};
  }

  Change change(const Amount& before, const Amount& after) const {
    return what_ == ChangeOf::shares ? change_of_shares(before, before_.all, after, after_.all)
                                     : change_of_values(before, after);
  }

  const ReportTable& before_;
  const ReportTable& after_;
  const ChangeOf what_;
};

}  // namespace

bool ComparedTable::totals_are_selves() const {
  return std::ranges::all_of(rows, [](const ComparedRow& row) { return row.self == row.total; });
}

std::vector<ComparedTable> compare(const Report& before, const Report& after, ChangeOf what, RowOrder order) {
  std::vector<ComparedTable> tables;
  for (const ReportTable& table : before.tables()) {
    const auto other = std::ranges::find(after.tables(), table.event_name, &ReportTable::event_name);
    if (other != after.tables().end()) tables.push_back(TableComparison(table, *other, what).table(order));
  }
  return tables;
}

}  // namespace perfsift::analysis
