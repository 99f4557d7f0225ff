// p99(offcpu), max(blocked, EXPR) and so on: the intervals in which threads were off their CPU, for all assertions in
// one pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/budget/measured_value.h"
#include "analysis/budget/wait_blocks.h"
#include "base/distribution.h"
#include "filter/budget/budget.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// The lengths of the intervals that one assertion asks about. Nanoseconds.
struct WaitLengths {
  Distribution lengths;
  double squares = 0;  // sum
  WaitBlocks blocks;

  // `end`: of the interval.
  void add(std::uint64_t end, std::uint64_t length) {
    lengths.add(length);
    squares += static_cast<double>(length) * static_cast<double>(length);
    blocks.add(end, length);
  }
};

// Not thread-safe. The budget must live longer.
class WaitCounter {
 public:
  // Measures for assertions about waits; all other assertions keep empty lengths.
  explicit WaitCounter(const filter::Budget& budget);

  // Visits a recording.
  void count(reader::Recording& recording, symbolize::Symbolizer& symbolizer);

  // `assertion`: the number of the assertion in the budget.
  MeasuredValue measured(std::size_t assertion) const;

 private:
  const filter::Budget& budget_;
  std::vector<WaitLengths> lengths_;  // by assertion
  std::uint64_t intervals_ = 0;       // of which both ends were recorded
  std::string missing_;               // why a recording has no waits
  std::string note_;
};

}  // namespace perfsift::analysis
