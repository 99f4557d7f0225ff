// The numbers of memory accesses that text, JSON and CSV have in common.
#pragma once

#include <array>
#include <cstddef>

#include "analysis/comparison/change.h"
#include "analysis/memory/memory_report.h"

namespace perfsift::output {

inline constexpr std::size_t number_width = 9;  // the width of columns of text
inline constexpr std::array shown_percentiles = {50.0, 90.0, 99.0, 99.9};

// The share of the weight or of the samples.
inline analysis::ShareInterval share_of(const analysis::AccessSums& part, const analysis::AccessSums& all,
                                        analysis::MemoryOrder order) {
  const auto amount = [&](const analysis::Amount& of) {
    return order == analysis::MemoryOrder::weight ? of : analysis::Amount{.samples = of.samples, .value = of.samples};
  };
  return analysis::interval_of_share(amount(part.amount), amount(all.amount));
}

}  // namespace perfsift::output
