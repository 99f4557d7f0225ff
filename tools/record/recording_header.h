// What stands at the beginning of a recording: its header, and the records that perf record writes before all others.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "reader/writer/header_content.h"
#include "record/flight/side_band_log.h"
#include "record/machine/run.h"
#include "record/session.h"
#include "record/waits/wait_recorder.h"

namespace perfsift::tools {

// Of a recording by this machine. `tracing_data`: see record::tracing_data_of().
reader::HeaderContent header_of(const record::Run& run, std::vector<std::byte> tracing_data);
// `command_line`: of this process, for CMDLINE.
// `waits`: the recording also has its samples; nullptr: it has none.
reader::HeaderContent header_of(const record::Session& session, const record::SessionPlan& plan,
                                const std::vector<std::string>& command_line,
                                const record::WaitRecorder* waits = nullptr);

using TakeRecords = std::function<void(Bytes records)>;

// Records about counters: ID_INDEX and EVENT_UPDATE.
void write_counters(const record::Session& session, const record::SessionPlan& plan, const TakeRecords& take);

// What runs already. `more`: processes beside those whose counters were opened. Returns warnings.
std::vector<std::string> write_what_runs(const record::Session& session, const record::SessionPlan& plan,
                                         const std::set<std::int32_t>& more, const TakeRecords& take);

// Begins a generation of `names` with what runs now. What `sink` hands on to `names` must be the records of the
// session: they are drained first, and go on meanwhile in the rings, so nothing is missed in between. Returns warnings.
std::vector<std::string> renew_names(record::Session& session, const record::SessionPlan& plan,
                                     record::SideBandLog& names, record::RecordSink& sink);

// Records about counters, what runs already, and FINISHED_INIT. Returns warnings.
std::vector<std::string> write_opening_records(const record::Session& session, const record::SessionPlan& plan,
                                               const TakeRecords& take);

}  // namespace perfsift::tools
