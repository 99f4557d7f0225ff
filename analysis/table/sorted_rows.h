// The order of the rows of a table.
#pragma once

#include <algorithm>
#include <vector>

namespace perfsift::analysis {

// The largest rank_of(row) comes first, and equal ranks are in the order of their cells.
template <typename Row, typename RankOf>
void sort_rows(std::vector<Row>& rows, RankOf&& rank_of) {
  std::ranges::sort(rows, [&](const Row& a, const Row& b) {
    const auto left = rank_of(a), right = rank_of(b);
    return left != right ? left > right : a.cells < b.cells;
  });
}

}  // namespace perfsift::analysis
