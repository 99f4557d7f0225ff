// What stands at the beginning of a recording: its header, and the records that perf record writes before all others.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "reader/writer/header_content.h"
#include "record/session.h"

namespace perfsift::tools {

// `command_line`: of this process, for CMDLINE.
reader::HeaderContent header_of(const record::Session& session, const record::SessionPlan& plan,
                                const std::vector<std::string>& command_line);

using TakeRecords = std::function<void(Bytes records)>;

// Records about counters: ID_INDEX and EVENT_UPDATE.
void write_counters(const record::Session& session, const record::SessionPlan& plan, const TakeRecords& take);

// What runs already. `more`: processes beside those whose counters were opened. Returns warnings.
std::vector<std::string> write_what_runs(const record::Session& session, const record::SessionPlan& plan,
                                         const std::set<std::int32_t>& more, const TakeRecords& take);

// Records about counters, what runs already, and FINISHED_INIT. Returns warnings.
std::vector<std::string> write_opening_records(const record::Session& session, const record::SessionPlan& plan,
                                               const TakeRecords& take);

}  // namespace perfsift::tools
