// The intervals in which the threads of a recording were not running, for a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/selection/stop_flag.h"
#include "filter/filter.h"
#include "output/page/page_data.h"
#include "symbolize/symbolizer.h"

namespace perfsift::tools {

struct WaitReading {
  std::optional<output::PageWaits> waits;
  std::optional<std::string> missing;  // a sentence for the page: why intervals are missing, or what is wrong with them
};

// Reads the recording again.
WaitReading read_waits(const std::string& path, symbolize::Symbolizer& symbolizer);

// Reads the recording again. Returns for each interval of read_waits(), in order, whether the filter keeps it. The
// filter must be a filter of intervals. Throws Stopped.
std::vector<bool> kept_waits(const std::string& path, const filter::Filter& filter, symbolize::Symbolizer& symbolizer,
                             const analysis::StopFlag& stop);

}  // namespace perfsift::tools
