#include "tools/record/recorded_totals.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include "base/size_text.h"

namespace perfsift::tools {

int exit_status_of(const RecordedTotals& totals) {
  constexpr int status_of_signal = 128;
  if (!totals.command_status) return 0;
  const int status = *totals.command_status;
  return WIFSIGNALED(status) ? status_of_signal + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string lost_text(std::uint64_t lost, std::uint64_t samples, std::string_view advice) {
  if (lost == 0) return "none lost";
  const double share = static_cast<double>(lost) / static_cast<double>(lost + samples);
  return fmt::format("{} lost ({:.2f} %{})", lost, 100 * share, advice);
}

std::string trace_text(std::uint64_t bytes) {
  return bytes == 0 ? std::string() : fmt::format("{}B of AUX data, ", size_text(bytes));
}

std::vector<std::string> trace_losses(const record::TraceCounts& traces) {
  std::vector<std::string> lines;
  if (traces.truncated != 0)
    lines.push_back(
        fmt::format("AUX data was lost {} times: a larger area (-m ,SIZE) or a larger interval (-c) loses "
                    "less",
                    traces.truncated));
  if (traces.partial != 0) lines.push_back(fmt::format("AUX data has gaps: {} times", traces.partial));
  if (traces.collisions != 0)
    lines.push_back(
        fmt::format("samples collided in AUX data {} times: a larger interval (-c) avoids it", traces.collisions));
  return lines;
}

}  // namespace perfsift::tools
