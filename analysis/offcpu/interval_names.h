// The words in CSV and JSON for properties of an interval.
#pragma once

#include <string_view>

#include "analysis/offcpu/interval.h"

namespace perfsift::offcpu {

// The event that the interval's stack comes from.
constexpr std::string_view name_of(StackOrigin origin) {
  switch (origin) {
    case StackOrigin::none:
      return "none";
    case StackOrigin::at_switch:
      return "switch";
    case StackOrigin::last_sample:
      return "last sample";
  }
  return "none";
}

// Which end of the interval was not seen, or that records were lost; empty: the interval is complete.
constexpr std::string_view cut_of(const Interval& interval) {
  if (interval.unknown != 0) return "lost";
  if (interval.began_before) return interval.goes_on ? "both" : "start";
  return interval.goes_on ? "end" : "";
}

}  // namespace perfsift::offcpu
