// What `perfsift info` prints about one recording for people.
#pragma once

#include <string>

#include "reader/recording.h"
#include "tools/info/sections.h"
#include "tools/info/survey.h"

namespace perfsift::tools {

// The sections asked for, each under a title. Ends with a newline.
std::string info_text(const reader::Recording& recording, const Survey& survey, const Sections& sections);

}  // namespace perfsift::tools
