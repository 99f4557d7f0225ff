#include "analysis/offcpu/evidence.h"

#include <fmt/format.h>

#include "base/counted.h"

namespace perfsift::offcpu {

using perfsift::counted;

std::optional<std::string> why_nothing_can_be_said(const Evidence& evidence) {
  const FeedSources& sources = evidence.sources;
  if (sources.sums) return std::nullopt;
  if (evidence.counts.switches == 0) {
    const char* const found =
        sources.switches ? "has sched:sched_switch, but no switch was recorded" : "tells nothing about switches";
    return fmt::format("{}: record with `{}`, or with `{}`, which needs no right to use tracepoints", found,
                       record_tracepoints, record_switch_events);
  }
  // A switch away from a thread is an event of that thread; the switch back is an event of another thread.
  const bool all_unknown = evidence.whole_intervals == 0 && evidence.counts.contradictions != 0;
  if (!all_unknown || sources.switch_records) return std::nullopt;
  return fmt::format(
      "has {} away from threads, but none that brings one back, so all times are unknown: with -p, -t or a "
      "program record with `{}`, or all of the machine with `{}`",
      counted(evidence.counts.switches, "switch", "switches"), record_process, record_tracepoints);
}

std::optional<std::string> missing_switches(const Evidence& evidence) {
  const std::uint64_t count = evidence.counts.contradictions;
  if (count == 0) return std::nullopt;
  const std::string missing = fmt::format("{} not recorded", counted(count, "switch was", "switches were"));
  if (evidence.sources.switch_records) return missing + ": the time around them is unknown";
  return fmt::format("{} ({}): the time around them is unknown; add --switch-events{}", missing,
                     evidence.sources.only_some ? "with -p, -t or a program the switches back to its threads are not"
                                                : "container or -p?",
                     evidence.sources.only_some ? ", or record all of the machine (-a)" : "");
}

}  // namespace perfsift::offcpu
