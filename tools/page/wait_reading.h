// When the threads of a recording were not running, for a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filter/filter.h"
#include "output/page/page_data.h"
#include "symbolize/symbolizer.h"

namespace perfsift::tools {

// Reads the recording again. Nothing if the recording does not tell of switches.
std::optional<output::PageWaits> read_waits(const std::string& path, symbolize::Symbolizer& symbolizer);

// Reads the recording again. For each interval that read_waits() gives, in order: whether the filter, one of intervals,
// keeps it.
std::vector<bool> kept_waits(const std::string& path, const filter::Filter& filter, symbolize::Symbolizer& symbolizer);

}  // namespace perfsift::tools
