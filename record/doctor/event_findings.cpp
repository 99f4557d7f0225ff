#include "record/doctor/event_findings.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "record/events/pmu.h"
#include "record/events/tracepoints.h"
#include "record/events/why_not_opened.h"
#include "record/preset.h"

namespace perfsift::record {
namespace {

namespace flag = reader::attr_flag;
namespace sample_bit = reader::sample_bit;

std::optional<EventRequest> event_named(const char* name, const Machine& machine) {
  try {
    return parse_events(name, machine.sources).front();
  } catch (const Error&) {  // the machine has no event of that name
    return std::nullopt;
  }
}

// Without the kernel, so that the answer does not depend on perf_event_paranoid.
reader::EventAttr of_user(reader::EventAttr attr) {
  attr.set(flag::disabled);
  attr.set(flag::exclude_kernel);
  attr.set(flag::exclude_hv);
  return attr;
}

Finding hardware_counters(const EventRequest& cycles, const Machine& machine) {
  Finding finding{.subject = "hardware counters"};
  const int error = machine.open(of_user(cycles.attr), this_thread);
  if (error == 0) {
    finding.fact = "cycles can be sampled";
    return finding;
  }
  finding.health = Health::limited;
  const bool has_pmus = !all_pmus(machine.sources.sysfs).empty();
  finding.fact = has_pmus ? why_not_opened(cycles, this_thread, error, machine.settings)
                          : fmt::format("cycles cannot be sampled: {} (why is not known without {}/bus/event_source)",
                                        std::strerror(error), machine.sources.sysfs);
  finding.meaning = "record samples cpu-clock, a timer of the kernel, instead; no cycles, cache misses or branches";
  if (!has_pmus)
    finding.remedy = "mount /sys, and ask again";
  else if (machine.settings.in_virtual_machine && !machine.settings.has_core_pmu)
    finding.remedy = "switch on the virtual PMU of this machine (QEMU: -cpu host,pmu=on; cloud: a metal instance)";
  return finding;
}

// The largest precise_ip that opens; 0: none.
unsigned most_precise(const EventRequest& cycles, const Machine& machine) {
  for (unsigned precision = 3; precision != 0; --precision) {
    reader::EventAttr attr = of_user(cycles.attr);
    attr.set_precise_ip(precision);
    if (machine.open(attr, this_thread) == 0) return precision;
  }
  return 0;
}

Finding precise_addresses(const EventRequest& cycles, const Machine& machine) {
  Finding finding{.subject = "precise addresses"};
  if (const unsigned precision = most_precise(cycles, machine); precision != 0) {
    finding.fact = fmt::format("precise_ip {} can be sampled", precision);
    return finding;
  }
  finding.health = Health::limited;
  finding.fact = "no event gives precise addresses (PEBS, IBS)";
  finding.meaning = "samples may be some instructions behind the slow one: read lines with care, functions are right";
  return finding;
}

Finding branches(const EventRequest& cycles, const Machine& machine) {
  Finding finding{.subject = "branch stacks"};
  reader::EventAttr attr = of_user(cycles.attr);
  attr.sample_type |= sample_bit::branch_stack;
  attr.branch_sample_type = reader::branch_sample::user | reader::branch_sample::any;
  attr.sample_period = 100'000;
  if (machine.open(attr, this_thread) == 0) {
    finding.fact = "the processor records branches (LBR, BRBE)";
    return finding;
  }
  finding.health = Health::no;
  finding.fact = "the processor records no branches here (LBR, BRBE)";
  finding.meaning = "no -b and no --call-graph lbr: use --call-graph dwarf where frame pointers are missing";
  return finding;
}

// `less`: what it means that the preset does without its first choice; empty: the other choices are as good.
Finding of_preset(std::string_view subject, Preset preset, std::string_view less, const Machine& machine) {
  Finding finding{.subject = subject};
  const auto opens = [&](const EventRequest& event) { return can_open(event, machine.open); };
  try {
    const PresetChoice choice = choose_preset(preset, machine.sources, opens);
    finding.fact = choice.reason;
    if (choice.is_first || less.empty()) return finding;
    finding.health = Health::limited;
    finding.meaning = less;
  } catch (const Error& error) {
    finding.health = Health::no;
    finding.fact = error.what();
    finding.meaning = fmt::format("record --preset {} does not work", name_of(preset));
  }
  return finding;
}

Finding memory_accesses(const Machine& machine) {
  Finding finding = of_preset("memory accesses", Preset::mem, "", machine);
  if (finding.health == Health::no)
    finding.meaning = "record --preset mem and c2c do not work, and mem and c2c have nothing to show";
  return finding;
}

void add_unreadable(Finding& finding, std::string_view what, const Unreadable& why, const SystemSettings& settings) {
  finding.fact = fmt::format("{} {}", what, why.fact);
  finding.remedy = why.remedy;
  if (!why.to_users) return;
  if (!settings.may_observe && settings.paranoid.value_or(2) >= 0)
    finding.remedy += " && sudo sysctl kernel.perf_event_paranoid=-1";
  finding.remedy += ", or run as root";
}

// A tracepoint whose samples all users of offcpu need.
Finding tracepoints(const Machine& machine) {
  Finding finding{.subject = "tracepoints"};
  const auto event = event_named("sched:sched_switch", machine);
  const int error = event ? machine.open(trial_attr(*event), this_thread) : 0;
  if (event && error == 0) {
    finding.fact = "sched:sched_switch can be recorded";
    return finding;
  }
  finding.health = Health::no;
  finding.meaning = "offcpu knows waits, but not who ended them; no system calls, no locks of the kernel";
  const Tracepoints all(machine.sources);
  if (event)
    finding.fact = why_not_opened(*event, this_thread, error, machine.settings);
  else if (const auto why = all.unreadable())
    add_unreadable(finding, "tracefs", *why, machine.settings);
  else if (const auto why_one = all.unreadable("sched", "sched_switch"))
    add_unreadable(finding, "sched:sched_switch", *why_one, machine.settings);
  else
    finding.fact = "the kernel has no sched:sched_switch (CONFIG_FTRACE)";
  return finding;
}

}  // namespace

EventRequest clock_event(const Machine& machine, bool kernel) {
  EventRequest event = parse_events(kernel ? "cpu-clock" : "cpu-clock:u", machine.sources).front();
  event.attr.set(flag::disabled);
  return event;
}

Findings hardware_findings(const Machine& machine) {
  const EventRequest cycles = parse_events("cycles", machine.sources).front();
  return {hardware_counters(cycles, machine), precise_addresses(cycles, machine), branches(cycles, machine),
          memory_accesses(machine)};
}

Findings tracepoint_findings(const Machine& machine) {
  return {tracepoints(machine),
          of_preset("waits", Preset::offcpu, "record --preset offcpu shows waits without their wakers", machine),
          of_preset("locks", Preset::locks, "record --preset locks shows less than it could", machine)};
}

}  // namespace perfsift::record
