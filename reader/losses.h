// Counting what a recording says it has missed.
#pragma once

#include "reader/event_table.h"
#include "reader/read_stats.h"

namespace perfsift::reader {

// Takes LOST, LOST_SAMPLES, READ, THROTTLE, UNTHROTTLE and AUX; ignores all other types. False when the record is
// malformed.
bool count_losses(const Record& record, const EventTable& events, ReadStats& stats);

}  // namespace perfsift::reader
