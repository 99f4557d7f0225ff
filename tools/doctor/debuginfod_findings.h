// Where `--debuginfod` would get debug files, and whether the servers answer.
#pragma once

#include <vector>

#include "record/doctor/finding.h"
#include "tools/doctor/library_facts.h"

namespace perfsift::tools {

// One line about the setting and, with `network`, one about each server, which is asked for the debug file of the first
// library that has a build id.
record::Findings debuginfod_findings(const std::vector<LibraryFacts>& libraries, bool network);

}  // namespace perfsift::tools
