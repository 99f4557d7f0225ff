// A recording filtered while it is made: `perf record -o - … | perfsift filter - --filter … -o - | …`.
//
// Samples are written as soon as they are delivered (after a FINISHED_ROUND), in the order of their times. All other
// records are written when they take effect, so that a reader has the records that name a sample before the sample.
// Only records that are not delivered yet are kept in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/samples/sample_filter.h"
#include "reader/recording.h"

namespace perfsift::output {

struct LiveResult {
  std::uint64_t kept = 0;   // samples
  std::uint64_t bytes = 0;  // written
};

// `recording` is a stream, `filter` prepared, `output` takes_pipe_form(). Throws InputError for AUX data, Error if
// the output cannot be written, and OutputClosed.
LiveResult filter_live(reader::Recording& recording, const analysis::RecordingFilter& filter, const std::string& output,
                       std::optional<int> compression_level);

}  // namespace perfsift::output
