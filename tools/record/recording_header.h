// What stands at the beginning of a recording: its header, and the records that perf record writes before all others.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reader/writer/header_content.h"
#include "record/session.h"

namespace perfsift::tools {

// `command_line`: of this process, for CMDLINE.
reader::HeaderContent header_of(const record::Session& session, const record::SessionPlan& plan,
                                const std::vector<std::string>& command_line);

// Records about counters (ID_INDEX, EVENT_UPDATE, THREAD_MAP, CPU_MAP), what runs already, and FINISHED_INIT. Returns
// warnings.
std::vector<std::string> write_opening_records(const record::Session& session, const record::SessionPlan& plan,
                                               const std::function<void(Bytes records)>& take);

}  // namespace perfsift::tools
