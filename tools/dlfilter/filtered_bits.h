// The bits that show a dlfilter which options of perf will drop a sample after the early call.
#pragma once

#include <cstdint>
#include <list>

#include "analysis/samples/sample_filter.h"
#include "tools/filter/filter_options.h"

namespace perfsift::tools {

// Not thread-safe. All arguments of the constructor must outlive the object.
class FilteredBits {
 public:
  FilteredBits(const FilterOptions& options, const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
               const analysis::FilterStacks& stacks);

  // Bits of dlfilter::filtered_by.
  std::uint8_t of(const reader::Sample& sample);

 private:
  struct Kind {
    std::uint8_t bit;
    filter::Filter filter;
    std::optional<analysis::SampleFilter> asked;  // of `filter`, which does not move
  };
  std::list<Kind> kinds_;
};

}  // namespace perfsift::tools
