#include "record/preset.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "record/events/pmu.h"
#include "record/events/trial.h"

namespace perfsift::record {
namespace {

using Opens = std::function<bool(const EventRequest&)>;

struct PresetName {
  std::string_view name;
  Preset preset;
};
constexpr std::array preset_names{
    PresetName{"cpu", Preset::cpu}, PresetName{"offcpu", Preset::offcpu}, PresetName{"mem", Preset::mem},
    PresetName{"c2c", Preset::c2c}, PresetName{"locks", Preset::locks},   PresetName{"faults", Preset::faults},
};

// Events that do for a preset if all of them open.
struct Candidate {
  std::string events;
  std::string reason;
};

bool all_open(const std::string& events, const EventSources& sources, const Opens& opens) {
  try {
    return std::ranges::all_of(parse_events(events, sources), opens);
  } catch (const Error&) {  // the machine has no event of that name
    return false;
  }
}

Candidate first_that_opens(const std::vector<Candidate>& candidates, const std::string& missing,
                           const EventSources& sources, const Opens& opens) {
  for (const Candidate& candidate : candidates) {
    if (all_open(candidate.events, sources, opens)) return candidate;
  }
  throw Error(missing);
}

const std::vector<Candidate> cpu_events{
    {"cycles:P", "cycles, sampled as precisely as this processor can"},
    {"cpu-clock", "cpu-clock, a timer of the kernel: this machine offers no hardware counters (a virtual machine?)"},
};

// sched_wakeup and sched_waking give the waker; the switch gives the sleeper's stack.
const std::vector<Candidate> offcpu_events{
    {"sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new",
     "the scheduler's switches and wake-ups with their stacks"},
    {"context-switches",
     "context-switches: the scheduler's tracepoints cannot be recorded, so nobody knows who woke whom"},
};

// The events of `perf mem record` (tools/perf/util/mem-events.c, arch/*/util/mem-events.c). Since Sapphire Rapids and
// Alder Lake, loads need a second event that leads their group (mem-loads-aux).
const std::vector<Candidate> memory_events{
    {"{cpu/mem-loads-aux/,cpu/mem-loads,ldlat=30/}:P,cpu/mem-stores/P",
     "Intel's loads of 30 cycles or more, and stores (PEBS)"},
    {"{cpu_core/mem-loads-aux/,cpu_core/mem-loads,ldlat=30/}:P,cpu_core/mem-stores/P",
     "Intel's loads of 30 cycles or more, and stores, of the performance cores (PEBS)"},
    {"cpu/mem-loads,ldlat=30/P,cpu/mem-stores/P", "Intel's loads of 30 cycles or more, and stores (PEBS)"},
    {"ibs_op//", "AMD's instruction-based sampling: every kind of operation, memory accesses among them"},
    {"arm_spe/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=30/",
     "Arm's Statistical Profiling Extension: loads and stores of 30 cycles or more, with physical addresses"},
    {"arm_spe/ts_enable=1,load_filter=1,store_filter=1,min_latency=30/",
     "Arm's Statistical Profiling Extension: loads and stores of 30 cycles or more"},
};

const std::vector<Candidate> lock_events{
    {"lock:contention_begin,lock:contention_end,syscalls:sys_enter_futex,syscalls:sys_exit_futex",
     "contended locks of the kernel, and futexes, which are locks of programs"},
    {"syscalls:sys_enter_futex,syscalls:sys_exit_futex",
     "futexes, which are locks of programs: tracepoints of contended locks (Linux 5.19) cannot be recorded"},
    {"sched:sched_switch", "switches: neither tracepoints of locks nor of system calls can be recorded"},
};

const std::vector<Candidate> fault_events{
    {"page-faults", "page faults, each with the code and the address"},
};

struct Recipe {
  const std::vector<Candidate>& candidates;
  std::string missing;
};

// Every kernel with perf events has PMUs in sysfs, if only those of software.
std::string no_memory(const EventSources& sources) {
  constexpr std::string_view instead = "--preset faults at least has the addresses of page faults";
  if (all_pmus(sources.sysfs).empty())
    return fmt::format(
        "whether this machine samples memory accesses is not known without {}/bus/event_source: mount /sys; {}",
        sources.sysfs, instead);
  return fmt::format(
      "this machine samples no memory accesses: Intel's mem-loads, AMD's ibs_op and Arm's SPE are all missing (virtual "
      "machines rarely have them); {}",
      instead);
}

Recipe recipe_for(Preset preset, const EventSources& sources) {
  switch (preset) {
    case Preset::cpu:
      return {cpu_events, "neither cycles nor cpu-clock can be opened"};
    case Preset::offcpu:
      return {offcpu_events, "neither the scheduler's tracepoints nor context-switches can be opened"};
    case Preset::mem:
    case Preset::c2c:
      return {memory_events, no_memory(sources)};
    case Preset::locks:
      return {lock_events, "neither tracepoints of locks, of system calls nor of switches can be opened"};
    case Preset::faults:
      return {fault_events, "page-faults cannot be opened"};
  }
  throw UsageError("no such preset");
}

void set_content(Preset preset, PresetChoice& choice) {
  SampleContent& content = choice.content;
  content.call_graph = CallGraph::frame_pointers;
  if (preset == Preset::mem || preset == Preset::c2c) {
    content.addresses = content.weight = content.cpu = true;
    content.call_graph = CallGraph::none;  // as perf mem record: latencies are of the instruction
  }
  if (preset == Preset::c2c) content.physical_addresses = true;  // which NUMA node has the line
  if (preset == Preset::faults) content.addresses = true;
  if (preset == Preset::offcpu) choice.side_band.switches = true;  // for switches into and out of what is recorded
  const bool each = preset == Preset::offcpu || preset == Preset::locks || preset == Preset::faults;
  if (each) content.period = 1;  // every one of them, so that intervals have both ends
}

}  // namespace

Preset preset_named(std::string_view name) {
  const auto found = std::ranges::find(preset_names, name, &PresetName::name);
  if (found != preset_names.end()) return found->preset;
  throw UsageError(fmt::format("--preset {}: there are cpu, offcpu, mem, c2c, locks and faults", name));
}

std::string_view name_of(Preset preset) {
  const auto found = std::ranges::find(preset_names, preset, &PresetName::preset);
  return found != preset_names.end() ? found->name : std::string_view();
}

void PresetChoice::add_to(SessionPlan& plan) const {
  plan.content = content;
  plan.side_band = side_band;
}

PresetChoice choose_preset(Preset preset, const EventSources& sources, const Opens& opens) {
  const Recipe recipe = recipe_for(preset, sources);
  const Candidate found = first_that_opens(recipe.candidates, recipe.missing, sources, opens);
  PresetChoice choice{.events = found.events, .reason = found.reason, .content = {}, .side_band = {}};
  choice.is_first = found.events == recipe.candidates.front().events;
  set_content(preset, choice);
  return choice;
}

}  // namespace perfsift::record
