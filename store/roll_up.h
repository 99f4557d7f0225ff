// Roll-ups: old recordings with equal labels become one, whose samples have longer times.
//
// The engine adds up: no samples are fetched. The sums become a load, which counts nothing until the row of the roll-up
// is in the table recordings; then the rows of the recordings are deleted. A roll-up that breaks off before changes
// nothing.
//
// A recording that no other joins stays as it is where there is little to add up: if it lasted less than two of its
// rows (twenty seconds; of a roll-up of ten minutes, twenty minutes).
#pragma once

#include <cstdint>

#include "store/engine/engine.h"
#include "store/selection.h"

namespace perfsift::store {

struct RollUpOptions {
  std::uint32_t seconds = 0;  // of a row of samples afterwards: divides a day, and ten seconds divide it
  std::uint32_t before = 0;   // seconds since 1970: recordings that began before, and were added by then
};

struct RolledUp {
  std::uint64_t recordings = 0, roll_ups = 0;  // so many recordings, or earlier roll-ups, became so many
  std::uint64_t rows = 0, rows_before = 0;     // of samples
};

// Rolls up recordings that the selection chooses. Others may add, remove and roll up recordings meanwhile.
RolledUp roll_up(Engine& engine, const Selection& selection, const RollUpOptions& options);

}  // namespace perfsift::store
