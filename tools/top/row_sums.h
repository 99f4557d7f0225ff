// Sums of tables over intervals.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/report.h"

namespace perfsift::tools {

// Memory is bounded: of too many rows the smallest become one. Not thread-safe.
class RowSums {
 public:
  // The text in all cells of the row that has the sum of such rows.
  static constexpr std::string_view small_rows = "[rows too small to keep]";

  // At most twice as many rows of each event as `most_rows` are kept.
  explicit RowSums(analysis::RowOrder order, std::size_t most_rows = 20'000) : order_(order), most_rows_(most_rows) {}

  void add(const std::vector<analysis::ReportTable>& tables);
  // In the order of a report. Texts live until the next add() or clear().
  std::vector<analysis::ReportTable> tables() const;
  void clear() { events_.clear(); }

 private:
  struct Key {
    std::vector<std::string> cells;
    bool inlined = false;
    auto operator<=>(const Key&) const = default;
  };
  struct Row {
    analysis::Amount self, total;
  };
  struct Event {
    std::string unit;
    analysis::Amount all;
    std::map<Key, Row> rows;
  };

  std::uint64_t rank(const Row& row) const;
  void keep_largest(Event& event) const;

  const analysis::RowOrder order_;
  const std::size_t most_rows_;
  std::map<std::string, Event, std::less<>> events_;
};

}  // namespace perfsift::tools
