// When the threads of a recording were not running, for a page.
#pragma once

#include <optional>
#include <string>

#include "analysis/selection/sample_table.h"
#include "output/page/page_data.h"
#include "symbolize/symbolizer.h"

namespace perfsift::tools {

// Reads the recording again. Nothing if the recording does not tell of switches.
std::optional<output::PageWaits> read_waits(const std::string& path, symbolize::Symbolizer& symbolizer);

}  // namespace perfsift::tools
