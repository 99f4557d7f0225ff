#include "analysis/memory/line_sums.h"

#include <algorithm>
#include <utility>

namespace perfsift::analysis {

void LineSums::add(const reader::Sample& sample, const MemoryAccess& access, MemoryCells& cells) {
  const MemoryCells::Home home = cells.home();
  Sum& sum = sums_[{.space = home.space,
                    .address = home.address,
                    .offset = home.offset,
                    .binary = home.binary,
                    .variable = cells.cell(Key::variable),
                    .kind = cells.cell(Key::kind),
                    .node = cells.cell(Key::node),
                    .tid = sample.tid,
                    .thread = cells.cell(Key::pid),
                    .code = cells.cell(Key::symbol),
                    .dso = cells.cell(Key::dso),
                    .cpu = sample.cpu}];
  sum.accesses.add(access);
  sum.lowest = std::min(sum.lowest, access.address);
}

void LineSums::add(LineSums&& other) {
  if (sums_.size() == 0) return std::swap(sums_, other.sums_);
  for (const auto& [use, sum] : other) {
    Sum& mine = sums_[use];
    mine.accesses.add(sum.accesses);
    mine.lowest = std::min(mine.lowest, sum.lowest);
  }
}

}  // namespace perfsift::analysis
