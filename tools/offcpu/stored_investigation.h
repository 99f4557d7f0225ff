// The waits of a store, for perfsift offcpu: see store/url.h for addresses of stores.
#pragma once

#include <string>

#include "analysis/profile/quality.h"
#include "tools/offcpu/offcpu_options.h"
#include "tools/recording/recording_run.h"

namespace perfsift::tools {

// Reads the waits that the address of a store chooses, and writes what the options ask for. Throws InputError, and
// UsageError for options that need single intervals, which a store does not have. Returns the quality of the
// recordings.
analysis::Quality write_waits_of_store(const OffcpuOptions& options, const std::string& url, RecordingRun& run);

}  // namespace perfsift::tools
