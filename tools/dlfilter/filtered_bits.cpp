#include "tools/dlfilter/filtered_bits.h"

#include <utility>

#include "dlfilters/abi.h"

namespace perfsift::tools {

FilteredBits::FilteredBits(const FilterOptions& options, const reader::Recording& recording,
                           symbolize::Symbolizer& symbolizer, const analysis::FilterStacks& stacks) {
  namespace by = dlfilter::filtered_by;
  const auto add = [&](std::uint8_t bit, filter::Filter filter) {
    if (filter.keeps_all()) return;
    Kind& kind = kinds_.emplace_back(Kind{.bit = bit, .filter = std::move(filter), .asked = {}});
    kind.asked.emplace(recording, symbolizer, kind.filter, stacks, filter::RecordingTimes(), nullptr);
  };
  add(by::thread, options.thread_filter());
  add(by::dso, options.binary_filter());
  add(by::symbol, options.symbol_filter());
}

std::uint8_t FilteredBits::of(const reader::Sample& sample) {
  unsigned bits = 0;
  for (Kind& kind : kinds_) {
    if (!kind.asked->keeps(sample)) bits |= kind.bit;
  }
  return static_cast<std::uint8_t>(bits);
}

}  // namespace perfsift::tools
