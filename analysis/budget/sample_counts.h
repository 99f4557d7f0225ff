// share(EXPR), and counts of memory accesses: all expressions of a budget are asked about each sample in one pass.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "analysis/budget/block_shares.h"
#include "analysis/budget/measured_value.h"
#include "analysis/memory/access_counts.h"
#include "analysis/samples/code_versions.h"
#include "analysis/samples/sample_filter.h"
#include "analysis/samples/user_stack.h"
#include "filter/budget/budget.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// The counts for one expression, in all recordings of a side.
struct ExpressionCount {
  std::string missing;              // why it could not be asked; empty: it could
  std::vector<BlockShare> samples;  // of share(): by run and time block
  AccessCounts accesses;            // of memory
  std::uint64_t all_accesses = 0;   // with the command's filter only
  bool tells_snoop = false;         // whether any access says what other caches answered
};

// Not thread-safe. The budget must live longer.
class SampleCounter {
 public:
  // Counts for assertions about samples and memory; all other assertions keep empty counts.
  explicit SampleCounter(const filter::Budget& budget);

  // Visits a recording. Samples that `selection` drops do not count; share() counts samples of events for which
  // `is_counted` is true.
  struct Reading {
    const filter::Filter& selection;
    std::function<bool(const reader::Event&)> is_counted;
    unsigned threads = 1;
  };
  void count(reader::Recording& recording, symbolize::Symbolizer& symbolizer, const Reading& reading);

  // `assertion`: the number of the assertion in the budget.
  MeasuredValue measured(std::size_t assertion) const;

 private:
  struct Pass;
  class Worker;

  const filter::Budget& budget_;
  std::vector<ExpressionCount> counts_;  // by assertion
  std::uint32_t runs_ = 0;
};

}  // namespace perfsift::analysis
