// The text of `perfsift info` about one recording.
#pragma once

#include <string>

#include "analysis/survey/survey.h"
#include "output/info/sections.h"
#include "reader/recording.h"

namespace perfsift::output {

// The wanted sections, each under a title. Ends with a newline.
std::string info_text(const reader::Recording& recording, const analysis::Survey& survey, const Sections& sections);

}  // namespace perfsift::output
