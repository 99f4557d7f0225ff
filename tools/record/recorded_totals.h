// What a recorder has written, for the summary at its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/rings/record_sink.h"

namespace perfsift::tools {

struct RecordedTotals {
  std::uint64_t samples = 0;
  std::uint64_t dropped = 0;  // on purpose: by --keep
  std::uint64_t lost = 0;     // by the kernel's own count
  record::TraceCounts traces;
  std::uint64_t bytes = 0;  // of all files
  std::vector<std::string> files;
  std::optional<int> command_status;  // of waitpid()
};

// The exit status of the recorded command, as a shell has it; 0: there was none.
int exit_status_of(const RecordedTotals& totals);

// "none lost", or "12 lost (0.10 %)", the share being that of all samples; `advice` then stands behind the share.
std::string lost_text(std::uint64_t lost, std::uint64_t samples, std::string_view advice = {});
// "4.1 MB of AUX data, ": in front of what else was recorded; empty without a trace.
std::string trace_text(std::uint64_t bytes);
// What was lost in AUX areas, and what to change: sentences. Each number of times is one of AUX records.
std::vector<std::string> trace_losses(const record::TraceCounts& traces);

}  // namespace perfsift::tools
