// Words for what is special about an interval, as CSV and JSON have them.
#pragma once

#include <string_view>

#include "analysis/offcpu/interval.h"

namespace perfsift::offcpu {

// Which event its stack is of.
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

// Which end of it was not seen, or that records were lost in it; empty: it is whole.
constexpr std::string_view cut_of(const Interval& interval) {
  if (interval.unknown != 0) return "lost";
  if (interval.began_before) return interval.goes_on ? "both" : "start";
  return interval.goes_on ? "end" : "";
}

}  // namespace perfsift::offcpu
