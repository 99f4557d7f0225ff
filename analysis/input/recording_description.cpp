#include "analysis/input/recording_description.h"

#include <algorithm>

#include <fmt/format.h>

#include "reader/format/abi.h"

namespace perfsift::analysis {
namespace {

std::string stacks_of(const reader::Event& event) {
  const reader::EventAttr& attr = event.attr;
  if (!event.has_callchain()) return "none";
  if (attr.has(reader::sample_bit::stack_user)) return fmt::format("dwarf,{}", attr.sample_stack_user);
  const bool branches = attr.has(reader::sample_bit::branch_stack);
  return branches && (attr.branch_sample_type & reader::branch_sample::call_stack) != 0 ? "lbr" : "fp";
}

}  // namespace

RecordingDescription describe(const reader::Recording& recording) {
  const reader::Features& features = recording.features();
  RecordingDescription description{
      .path = recording.path(),
      .hostname = features.hostname,
      .kernel = features.os_release,
      .machine = features.arch,
      .cpu = features.cpu_description,
      .cpus_online = features.cpus_online,
      .perf_version = features.version,
      .command = features.command_line,
  };
  description.has_switches = std::ranges::any_of(recording.events(), [](const auto& event) {
    return event->name.starts_with("sched:sched_switch") || event->attr.context_switch();
  });
  for (const auto& event : recording.events()) {
    description.events.push_back({.name = event->name,
                                  .every = event->attr.sample_period,
                                  .is_frequency = event->attr.freq(),
                                  .stacks = stacks_of(*event)});
  }
  if (features.clock_data) {
    const auto [version, clock, wall, recorded] = *features.clock_data;
    description.wall_clock_offset = static_cast<std::int64_t>(wall - recorded);
  }
  return description;
}

}  // namespace perfsift::analysis
