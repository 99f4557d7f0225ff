// A recording filtered while it is made: `perf record -o - … | perfsift filter - --filter … -o - | …`.
//
// Samples go on as soon as they are delivered, which a FINISHED_ROUND lets happen, in the order of their times. All
// that is no sample goes on, too, at the moment it takes effect, so that a reader has in front of a sample what it
// needs to name it, and nothing is kept here but what is not delivered yet.
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

// `recording` is a stream, `filter` prepared, `output` takes_pipe_form(). Throws InputError for AUX data, Error when
// the output cannot be written, OutputClosed.
LiveResult filter_live(reader::Recording& recording, const analysis::RecordingFilter& filter, const std::string& output,
                       std::optional<int> compression_level);

}  // namespace perfsift::output
