// An event to record, as a name or a preset describes the event: perf_event_attr, and what the attr cannot say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reader/format/event.h"

namespace perfsift::record {

// What the terms of one event (`cpu/…,call-graph=dwarf,max-stack=8/`) say instead of the options of the command.
struct EventTerms {
  std::optional<std::uint64_t> period;
  std::optional<std::uint64_t> frequency;
  std::optional<std::string> call_graph;  // "fp", "dwarf", "lbr", "no"
  std::optional<std::uint32_t> stack_size;
  std::optional<std::uint16_t> max_stack;
  std::optional<bool> time;
  std::optional<bool> inherit;
  std::optional<bool> overwrite;
  std::optional<std::string> branch_type;
  std::optional<std::uint32_t> aux_sample_size;
  std::optional<bool> aux_output;
};

// An event that writes a hardware trace into the AUX area of its ring: Arm's Statistical Profiling Extension (SPE).
struct TraceTerms {
  std::uint64_t interval = 0;  // the least number of operations between samples of which the PMU is capable
  // Bits of attr.config by which the records of the trace have times; 0: the terms of the event decide about them.
  std::uint64_t timestamps = 0;
  std::uint64_t physical_addresses = 0;  // bits of attr.config by which they have physical addresses
};

struct EventRequest {
  // Selects what is counted: type, config…, bp_*, precise_ip, exclude_*, pinned, exclusive. What a sample contains
  // (sample_type, …) and how the event starts is the business of the session: see record/session.h.
  reader::EventAttr attr;
  std::string name;            // as perf writes it into EVENT_DESC: "cycles:ppp", "cpu/mem-loads,ldlat=30/P"
  std::string pmu;             // the folder in sysfs; empty: the kernel's generic types
  std::vector<unsigned> cpus;  // the CPUs that the PMU serves; empty: all
  std::string unit;            // "Joules"; empty: a count
  double scale = 1.0;
  std::size_t leader = 0;          // the index of the group's leader in the list of requests; its own index: no group
  bool sampled_by_leader = false;  // {a,b}:S: the leader samples, and each sample has the counts of all members
  bool weak_group = false;         // {a,b}:W: opened without a group if the kernel refuses the group
  std::string group_name;          // name{a,b}: of the leader
  bool most_precise = false;       // :P: the highest precise_ip that the machine accepts
  EventTerms terms;
  std::optional<TraceTerms> trace;  // of arm_spe only
  std::string filter;               // of a tracepoint, in the kernel's language; from --filter
};

}  // namespace perfsift::record
