// A value that an assertion asks for, measured on one side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

struct MeasuredValue {
  std::optional<Estimate> value;  // nothing: `missing` says why
  std::string missing;            // a sentence without its stop
  std::uint64_t of = 0;           // on how many samples, stacks or intervals it was measured
  std::string of_what;            // "samples"
  std::string note;               // what a reader should know besides; a sentence without its stop

  static MeasuredValue not_known(std::string why) {
    return {.value = {}, .missing = std::move(why), .of = 0, .of_what = {}, .note = {}};
  }
  // A count or a figure of the recording itself: chance has no part in it.
  static MeasuredValue exact(double value, std::uint64_t of, std::string of_what) {
    return {.value = Estimate{.value = value, .low = value, .high = value},
            .missing = {},
            .of = of,
            .of_what = std::move(of_what),
            .note = {}};
  }
};

}  // namespace perfsift::analysis
