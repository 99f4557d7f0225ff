// Joins rows of equal things. The numbers of stacks depend on the threads that read, but the nodes of a tree do not. So
// rows with the same node are joined.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace perfsift::output {

// Sorts the rows by key(row), and adds up the amounts of rows with equal keys.
template <typename Row, typename Key>
void join_equal(std::vector<Row>& rows, const Key& key) {
  std::ranges::stable_sort(rows, {}, key);
  std::vector<Row> joined;
  for (const Row& row : rows) {
    if (!joined.empty() && key(joined.back()) == key(row)) {
      joined.back().amount += row.amount;
    } else {
      joined.push_back(row);
    }
  }
  rows = std::move(joined);
}

}  // namespace perfsift::output
