#include "analysis/offcpu/evidence.h"

#include <fmt/format.h>

#include "base/counted.h"

namespace perfsift::offcpu {

using perfsift::counted;

namespace {

// More is missing than a report can bear: each missing switch makes a thread wait, or run, that did not.
constexpr double share_that_spoils = 0.01;

// Records of switches fill the gaps.
std::uint64_t switches_left_out(const FeedSources& sources) {
  return sources.switch_records ? 0 : sources.switches_in_all - sources.switches_recorded;
}

bool is_spoiled(const FeedSources& sources) {
  const auto all = static_cast<double>(sources.switches_in_all);
  return static_cast<double>(switches_left_out(sources)) > share_that_spoils * all;
}

}  // namespace

std::optional<std::string> why_nothing_can_be_said(const Evidence& evidence) {
  const FeedSources& sources = evidence.sources;
  if (sources.sums || sources.measured) return std::nullopt;
  if (evidence.counts.switches == 0) {
    const char* const found =
        sources.switches ? "has sched:sched_switch, but no switch was recorded" : "has no record of switches";
    return fmt::format("{}: record with `{}`, or with `{}`, which needs no right to use tracepoints", found,
                       record_tracepoints, record_switch_events);
  }
  if (is_spoiled(sources)) {
    return fmt::format(
        "has {} of about {}, because -F and -c choose some of sched:sched_switch, too: record without "
        "them, or add --switch-events",
        sources.switches_recorded, counted(sources.switches_in_all, "switch", "switches"));
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
  if (is_spoiled(evidence.sources)) return std::nullopt;
  if (const std::uint64_t missing = switches_left_out(evidence.sources); missing != 0) {
    return fmt::format(
        "about {} not recorded (-F and -c choose some of sched:sched_switch, too): the time around them "
        "is wrong or unknown; record without them, or add --switch-events",
        counted(missing, "switch was", "switches were"));
  }
  const std::uint64_t count = evidence.counts.contradictions;
  if (count == 0) return std::nullopt;
  const std::string missing = fmt::format("{} not recorded", counted(count, "switch was", "switches were"));
  if (evidence.sources.switch_records || evidence.sources.measured)
    return missing + ": the time around them is unknown";
  return fmt::format("{} ({}): the time around them is unknown; add --switch-events{}", missing,
                     evidence.sources.only_some ? "with -p, -t or a program the switches back to its threads are not"
                                                : "container or -p?",
                     evidence.sources.only_some ? ", or record all of the machine (-a)" : "");
}

}  // namespace perfsift::offcpu
