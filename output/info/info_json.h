// All that `perfsift info` knows about one recording, as JSON: the keys are stable and documented in perfsift-info(1).
#pragma once

#include "analysis/survey/survey.h"
#include "output/info/outline.h"
#include "output/info/sections.h"
#include "reader/recording.h"

namespace perfsift::output {

// The whole document, with the wanted sections. `survey`: the result of a visit of the recording.
Json info_json(const reader::Recording& recording, const analysis::Survey& survey, const Sections& sections);

// Parts of it.
Json events_json(const reader::Recording& recording, const analysis::Survey& survey);
// Counts by the name of the type; unknown types have their number as the name.
Json records_json(const std::map<reader::RecordType, std::uint64_t>& counts);
Json lost_json(const reader::Recording& recording);
Json throttled_json(const reader::Recording& recording);
// Sorted by samples, the most first.
Json processes_json(const analysis::Survey& survey);
Json cpus_json(const analysis::Survey& survey);
Json quality_json(const analysis::Survey& survey);

}  // namespace perfsift::output
