// What a session records, and how: events, their samples, the records beside samples, and the rings.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "record/events/event_request.h"
#include "record/target.h"

namespace perfsift::record {

enum class CallGraph : std::uint8_t { none, frame_pointers, dwarf, branch_stack };  // branch_stack: LBR

// "fp", "dwarf", "lbr": perf's names. Nothing for other texts.
inline std::optional<CallGraph> call_graph_named(std::string_view name) {
  if (name == "fp") return CallGraph::frame_pointers;
  if (name == "dwarf") return CallGraph::dwarf;
  if (name == "lbr") return CallGraph::branch_stack;
  return std::nullopt;
}

// What the options of perf record say of all events; terms of an event come first.
struct SampleContent {
  std::optional<std::uint64_t> period;
  std::optional<std::uint64_t> frequency;  // neither: 4,000 a second, at most what the kernel allows
  CallGraph call_graph = CallGraph::none;
  std::uint32_t stack_size = 8192;
  std::optional<std::uint16_t> max_stack;
  bool user_callchains = true, kernel_callchains = true;  // --kernel-callchains, --user-callchains leave out the other
  bool addresses = false;                                 // -d: ADDR, mappings of data
  bool physical_addresses = false;
  bool data_page_size = false, code_page_size = false;
  bool weight = false;  // -W
  bool transactions = false;
  bool no_samples = false;                     // -n: events only count
  bool thread_counts = false;                  // -s: a READ record with the counts of each inherited thread that ends
  bool running_time = false;                   // --running-time: counts have the times for which events were enabled
  bool strict_frequency = false;               // a frequency above what the kernel allows is refused
  bool identifier = false;                     // --sample-identifier: also if there is one event
  bool always_period = false;                  // -P: also if the period is fixed
  bool cpu = false;                            // --sample-cpu
  bool cgroup = false;                         // --all-cgroups
  bool raw = true;                             // of tracepoints
  bool always_raw = false;                     // -R: of all events
  std::optional<std::uint64_t> branch_filter;  // -b, -j
  std::optional<std::uint64_t> user_registers, interrupt_registers;
};

// The records beside samples.
struct SideBand {
  bool switches = false;    // --switch-events
  bool namespaces = false;  // --namespaces
  bool cgroups = false;     // --all-cgroups
  bool build_ids = true;    // MMAP2 has build ids where the kernel offers them
  bool kernel_code = true;  // KSYMBOL, BPF_EVENT
};

// A thread of the caller that drains the rings of some CPUs: see Session::groups().
struct RingThread {
  std::vector<unsigned> cpus;
  std::vector<unsigned> affinity;  // the CPUs on which the thread runs
  bool operator==(const RingThread&) const = default;
};

struct RingPlan {
  std::size_t bytes = std::size_t{4} << 20;         // of each ring; rounded up to a power of two of pages
  bool overwritten = false;                         // samples; side-band records then have ordinary rings of their own
  std::size_t beside_bytes = std::size_t{1} << 20;  // the most bytes of these; rounded up like `bytes`
  std::size_t aux_bytes = 0;  // of each AUX area, rounded up like `bytes`; 0: what perf takes: see aux_area_bytes()
  // The share of a ring that wakes the session. The rest is for the time until the session runs: on a machine whose
  // CPUs are all busy, half of a ring was not enough for stacks of 8 KiB.
  double watermark = 0.25;
  std::chrono::milliseconds longest_wait{500};
  std::vector<RingThread> threads;  // empty: the session's own thread drains all rings
};

struct SessionPlan {
  std::vector<EventRequest> events;
  Target target;
  SampleContent content;
  SideBand side_band;
  RingPlan rings;
  std::int32_t clock_id = 1;                       // CLOCK_MONOTONIC, whose times BPF programs have, too
  bool start_disabled = false;                     // -D -1, --control: enable() decides
  std::optional<std::chrono::milliseconds> delay;  // -D: the time from start() to enable()
};

}  // namespace perfsift::record
