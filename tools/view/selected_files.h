// Files of what is selected in a page, for the browser to save.
#pragma once

#include <string>

#include "symbolize/symbolizer.h"
#include "tools/page/page_reading.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {

// The bytes of the recording with only the samples that the options of the run and `filter` keep. Throws UsageError if
// the filter is wrong or the input is no recording in a file, and Error.
std::string selected_recording(const ProfileCommand& inputs, const PageReading& reading, std::size_t recording,
                               const std::string& filter, symbolize::Symbolizer& symbolizer);

// How amounts are called in a picture.
struct PictureUnit {
  bool samples = false;  // amounts are numbers of samples, not periods
  bool times = false;    // periods are nanoseconds
};

// A flame graph, as SVG, of the samples that the options of the run and `filter` keep. Throws as selected_recording().
std::string selected_picture(const ProfileCommand& inputs, const PageReading& reading, std::size_t recording,
                             const std::string& filter, const PictureUnit& unit, analysis::StackOptions stacks,
                             symbolize::Symbolizer& symbolizer);

// A profile of pprof of the samples that the options of the run and `filter` keep. Throws as selected_recording().
std::string selected_profile(const ProfileCommand& inputs, const PageReading& reading, std::size_t recording,
                             const std::string& filter, const analysis::StackOptions& stacks,
                             symbolize::Symbolizer& symbolizer);

}  // namespace perfsift::tools
