// What `perfsift info` prints about one recording for people.
#pragma once

#include <string>

#include "analysis/survey/survey.h"
#include "output/info/sections.h"
#include "reader/recording.h"

namespace perfsift::output {

// The sections asked for, each under a title. Ends with a newline.
std::string info_text(const reader::Recording& recording, const analysis::Survey& survey, const Sections& sections);

}  // namespace perfsift::output
