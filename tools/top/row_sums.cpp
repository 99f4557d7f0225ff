#include "tools/top/row_sums.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace perfsift::tools {

using analysis::ReportRow;
using analysis::ReportTable;
using analysis::RowOrder;

std::uint64_t RowSums::rank(const Row& row) const {
  return order_ == RowOrder::self ? row.self.value : row.total.value;
}

void RowSums::add(const std::vector<ReportTable>& tables) {
  for (const ReportTable& table : tables) {
    Event& event = events_[std::string(table.event_name)];
    event.unit = table.unit;
    event.all += table.all;
    for (const ReportRow& row : table.rows) {
      Row& sum = event.rows[{.cells = {row.cells.begin(), row.cells.end()}, .inlined = row.inlined}];
      sum.self += row.self;
      sum.total += row.total;
    }
    if (event.rows.size() > 2 * most_rows_) keep_largest(event);
  }
}

void RowSums::keep_largest(Event& event) const {
  using Place = std::map<Key, Row>::iterator;
  const Key small{.cells = std::vector<std::string>(event.rows.begin()->first.cells.size(), std::string(small_rows))};
  std::vector<Place> places;
  for (Place place = event.rows.begin(); place != event.rows.end(); ++place) {
    if (place->first != small) places.push_back(place);
  }
  const auto first_small = places.begin() + static_cast<std::ptrdiff_t>(std::min(most_rows_, places.size()));
  std::ranges::nth_element(places, first_small, [&](Place a, Place b) { return rank(a->second) > rank(b->second); });
  Row& sum = event.rows[small];
  for (auto place = first_small; place != places.end(); ++place) {
    sum.self += (*place)->second.self;
    sum.total += (*place)->second.self;  // totals of rows overlap, so their sum would mean nothing
    event.rows.erase(*place);
  }
}

std::vector<ReportTable> RowSums::tables() const {
  std::vector<ReportTable> tables;
  for (const auto& [name, event] : events_) {
    ReportTable table{.event = static_cast<analysis::EventId>(tables.size()),
                      .event_name = name,
                      .unit = event.unit,
                      .all = event.all,
                      .rows = {}};
    for (const auto& [key, sum] : event.rows) {
      table.rows.push_back({.cells = {key.cells.begin(), key.cells.end()},
                            .self = sum.self,
                            .total = sum.total,
                            .inlined = key.inlined});
    }
    std::ranges::stable_sort(table.rows, [this](const ReportRow& a, const ReportRow& b) {
      const auto amounts = [this](const ReportRow& row) {
        return order_ == RowOrder::self ? std::tuple(row.self.value, row.total.value)
                                        : std::tuple(row.total.value, row.self.value);
      };
      return amounts(a) > amounts(b);
    });
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace perfsift::tools
