// Files of what is selected in a page, for the browser to save.
#pragma once

#include <string>

#include "output/flame/palette.h"
#include "tools/view/viewed.h"

namespace perfsift::tools {

// The bytes of the recording with only the samples that the options of the run and `filter` keep. Throws UsageError if
// the filter is wrong, or the input is no recording in a file or has changed; and Error.
std::string selected_recording(const Viewed& viewed, std::size_t recording, const std::string& filter);

// How a picture looks.
struct PictureLooks {
  bool samples = false;   // amounts are numbers of samples, not periods
  bool times = false;     // periods are nanoseconds
  bool reversed = false;  // from the leaves
  bool threads = true;    // threads have frames
  bool upwards = true;    // the root is at the bottom
  output::PaletteName palette = output::PaletteName::kind;
  std::string search;  // a regular expression
};

// A flame graph, as SVG, of the samples that the options of the run and `filter` keep. Throws as selected_recording().
std::string selected_picture(const Viewed& viewed, std::size_t recording, const std::string& filter,
                             const PictureLooks& looks);

// A profile of pprof of the samples that the options of the run and `filter` keep. Throws as selected_recording().
std::string selected_profile(const Viewed& viewed, std::size_t recording, const std::string& filter);

}  // namespace perfsift::tools
