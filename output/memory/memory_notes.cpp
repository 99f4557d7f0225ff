#include "output/memory/memory_notes.h"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "analysis/memory/latency_threshold.h"
#include "analysis/memory/memory_access.h"
#include "base/counted.h"
#include "base/printable.h"

namespace perfsift::output {
namespace {

namespace bit = reader::sample_bit;

std::string text_of(const analysis::LatencyThreshold& threshold) {
  using enum analysis::LatencyThreshold::Kind;
  const std::string near_levels = ": the shares of near levels are too small, and percentiles are those of slow ";
  switch (threshold.kind) {
    case misses:
      return fmt::format(
          "samples only loads that missed the L1 and took more than {} cycles: there are no other accesses, and "
          "percentiles are those of slow loads",
          threshold.cycles);
    case all:
      return fmt::format("does not sample accesses that took less than {} cycles{}accesses", threshold.cycles,
                         near_levels);
    default:
      return fmt::format("does not sample loads that took less than {} cycles{}loads", threshold.cycles, near_levels);
  }
}

// "mem_hops 7 (2 accesses), …"
std::string list_of(const analysis::UnknownValues& values) {
  constexpr std::size_t most_listed = 5;
  const auto rows = values.rows();
  std::string list;
  for (const auto& [value, accesses] : std::span(rows).first(std::min(rows.size(), most_listed))) {
    list += fmt::format("{}{} {} ({})", list.empty() ? "" : ", ", value.part, value.value, accesses);
  }
  if (rows.size() > most_listed) list += fmt::format(", and {} more", rows.size() - most_listed);
  return list;
}

std::string unknown_values(const analysis::MemoryReport& report) {
  return counted(report.counts.unknown_value, "access has", "accesses have") +
         " a data source with values that are unknown here: " + list_of(report.unknown);
}

// Which instruction a sample names. For Intel, precise_ip decides: see perf_event_attr in
// include/uapi/linux/perf_event.h. On other machines the processor decides (IBS, SPE), or the kernel (software events).
std::string skid_of(const reader::Event& event, const reader::Features& features) {
  const bool by_processor =
      event.attr.type == reader::event_type::raw || event.attr.type > reader::event_type::breakpoint;
  if (!by_processor || !features.cpu_id.starts_with("GenuineIntel")) return "";
  if (event.attr.precise_ip() == 0)
    return " is not precise: samples name an instruction some way behind the access (skid)";
  return event.attr.precise_ip() == 1 ? " is precise to a constant: samples name the instruction behind the access"
                                      : "";
}

// The meaning of a sample's weight: arch/x86/events/intel/ds.c, arch/x86/events/amd/ibs.c, and arm_spe_* of perf.
std::string_view meaning_of_latency(const NotedRecording& recording) {
  if (recording.arch == "aarch64") return "latency: cycles from the dispatch of an operation to its end (SPE)";
  if (recording.cpu_id.starts_with("AuthenticAMD") || recording.cpu_id.starts_with("HygonGenuine"))
    return "latency: cycles that a miss of the L1 data cache took (IBS); hits and stores have none";
  if (recording.cpu_id.starts_with("GenuineIntel"))
    return "latency: cycles until the load had its data, with the time that it waited for execution; PEBS follows one "
           "load at a time, and loads that begin meanwhile are not sampled";
  return "latency: the weight of the samples, in the unit of the processor";
}

}  // namespace

void NotedRecording::add(const reader::Event& event, const reader::Features& features) {
  const std::string name = printable(event.name);
  if (const auto threshold = analysis::latency_threshold(event, features))
    left_out.push_back(name + " " + text_of(*threshold));
  if (analysis::samples_l3_misses_only(event))
    left_out.push_back(name +
                       " samples only operations that missed the L3 (l3missonly): nearer levels have no accesses");
  if (analysis::is_auxiliary(event))
    left_out.push_back(name + " is left out, as its samples repeat those of the loads; perf mem report counts them");
  if (!analysis::is_memory_event(event)) return;
  if (const std::string skid = skid_of(event, features); !skid.empty()) left_out.push_back(name + skid);
  if (event.attr.freq())
    left_out.push_back(name +
                       " has a frequency, not a period (perf record -c): a sample stands for more accesses where there "
                       "are many, and shares count samples");
  if (event.knows(bit::phys_addr)) has_physical_addresses = true;
}

NotedRecording noted(const reader::Recording& recording, const analysis::MemoryNodes& nodes) {
  NotedRecording noted{
      .arch = recording.features().arch, .cpu_id = recording.features().cpu_id, .knows_nodes = nodes.knows_memory()};
  for (const auto& event : recording.events()) noted.add(*event, recording.features());
  return noted;
}

NotedRecording joined(NotedRecording one, const NotedRecording& other) {
  for (const std::string& text : other.left_out) {
    if (std::ranges::find(one.left_out, text) == one.left_out.end()) one.left_out.push_back(text);
  }
  if (one.arch != other.arch) one.arch = {};
  if (one.cpu_id != other.cpu_id) one.cpu_id = {};
  one.has_physical_addresses = one.has_physical_addresses || other.has_physical_addresses;
  one.knows_nodes = one.knows_nodes && other.knows_nodes;
  return one;
}

std::vector<std::string> memory_notes(const NotedRecording& recording, const analysis::MemoryReport& report) {
  std::vector<std::string> notes = recording.left_out;
  if (report.events.size() > 1) {
    notes.push_back(fmt::format(
        "{} events have periods of their own: a share of their samples together is no share of all accesses",
        report.events.size()));
  }
  if (report.all.amount.samples == 0) {
    notes.emplace_back("no access was kept");
  } else if (report.all.latency.count() == 0) {
    notes.emplace_back("no latencies were recorded: weights count accesses (perf record --weight records them)");
  } else {
    notes.emplace_back(meaning_of_latency(recording));
    const std::uint64_t without = report.all.amount.samples - report.all.latency.count();
    if (without != 0) {
      notes.push_back(counted(without, "access has", "accesses have") +
                      " no latency: each counts as 1 in weights, and in no percentile");
    }
  }
  if (!recording.has_physical_addresses) {
    notes.emplace_back("nodes of pages are not known: perf mem record --phys-data records them");
  } else if (recording.in_perf) {
    notes.emplace_back("nodes are not known inside perf; perfsift mem knows them");
  } else if (!recording.knows_nodes) {
    notes.emplace_back("nodes of pages are not known: the recording does not have the memory of nodes (MEM_TOPOLOGY)");
  }
  if (report.counts.unknown_value != 0) notes.push_back(unknown_values(report));
  if (report.skipped != 0) notes.push_back(counted(report.skipped, "sample") + " without a data address, not counted");
  return notes;
}

std::vector<std::string> sharing_notes(const NotedRecording& recording, const analysis::MemoryReport& report,
                                       const analysis::CacheLines& lines) {
  std::vector<std::string> notes = recording.left_out;
  if (!lines.any_conflict()) {
    notes.emplace_back(
        "no access found a line that another cache had modified, or the event does not record it: sharing is judged by "
        "who "
        "used which bytes, not by what it cost");
  }
  notes.emplace_back(
      "a sample has the address where an access begins, not its length: accesses that overlap but begin at different "
      "bytes "
      "look "
      "like false sharing");
  if (report.counts.unknown_value != 0) notes.push_back(unknown_values(report));
  if (report.skipped != 0) notes.push_back(counted(report.skipped, "sample") + " without a data address, not counted");
  return notes;
}

}  // namespace perfsift::output
