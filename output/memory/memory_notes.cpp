#include "output/memory/memory_notes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "analysis/memory/memory_access.h"
#include "base/counted.h"
#include "base/printable.h"

namespace perfsift::output {
namespace {

namespace bit = reader::sample_bit;

// The number behind "ldlat=" in the name of an event.
std::optional<std::uint64_t> threshold_of(std::string_view event) {
  constexpr std::string_view term = "ldlat=";
  const std::size_t at = event.find(term);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view number = event.substr(at + term.size());
  const int base = number.starts_with("0x") ? 16 : 10;
  std::uint64_t value = 0;
  const char* const first = number.data() + (base == 16 ? 2 : 0);
  const auto [end, error] = std::from_chars(first, number.data() + number.size(), value, base);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

// Below 4 cycles no load is left out: no cache answers faster.
void add_threshold(const reader::Event& event, std::vector<std::string>& notes) {
  constexpr std::uint64_t fastest = 4;
  const auto threshold = threshold_of(event.name);
  if (!threshold || *threshold < fastest) return;
  notes.push_back(
      fmt::format("{} does not sample loads that took less than {} cycles: the shares of near levels are too "
                  "small, and percentiles are those of slow loads",
                  printable(event.name), *threshold));
}

std::string unknown_values(const analysis::MemoryReport& report) {
  return counted(report.counts.unknown_value, "access has", "accesses have") +
         " a data source with values that are unknown here";
}

// What the weight of a sample is: arch/x86/events/intel/ds.c, arch/x86/events/amd/ibs.c, and arm_spe_* of perf.
std::string_view meaning_of_latency(const reader::Features& features) {
  if (features.arch == "aarch64") return "latency: cycles from the dispatch of an operation to its end (SPE)";
  if (features.cpu_id.starts_with("AuthenticAMD") || features.cpu_id.starts_with("HygonGenuine"))
    return "latency: cycles that a miss of the L1 data cache took (IBS); hits and stores have none";
  if (features.cpu_id.starts_with("GenuineIntel"))
    return "latency: cycles until the load had its data, with the time that it waited for execution; PEBS follows one "
           "load at a time, and loads that begin meanwhile are not sampled";
  return "latency: the weight of the samples, in the unit of the processor";
}

}  // namespace

std::vector<std::string> memory_notes(const reader::Recording& recording, const analysis::MemoryReport& report,
                                      const analysis::MemoryNodes& nodes) {
  std::vector<std::string> notes;
  std::size_t events = 0;
  bool physical = false;
  for (const auto& event : recording.events()) {
    if (!analysis::is_memory_event(*event)) continue;
    ++events;
    add_threshold(*event, notes);
    physical = physical || event->attr.has(bit::phys_addr);
  }
  if (events > 1) {
    notes.push_back(fmt::format(
        "{} events have periods of their own: a share of their samples together is no share of all accesses", events));
  }
  if (report.all.latency.count() == 0) {
    notes.emplace_back("no latencies were recorded: weights count accesses (perf record --weight records them)");
  } else {
    notes.emplace_back(meaning_of_latency(recording.features()));
    const std::uint64_t without = report.all.amount.samples - report.all.latency.count();
    if (without != 0) {
      notes.push_back(counted(without, "access has", "accesses have") +
                      " no latency: each counts as 1 in weights, and in no percentile");
    }
  }
  if (!physical) {
    notes.emplace_back("nodes of pages are not known: perf mem record --phys-data records them");
  } else if (!nodes.knows_memory()) {
    notes.emplace_back("nodes of pages are not known: the recording does not tell the memory of nodes (MEM_TOPOLOGY)");
  }
  if (report.counts.unknown_value != 0) notes.push_back(unknown_values(report));
  if (report.skipped != 0) notes.push_back(counted(report.skipped, "sample") + " without a data address, not counted");
  return notes;
}

std::vector<std::string> sharing_notes(const reader::Recording& recording, const analysis::MemoryReport& report,
                                       const analysis::CacheLines& lines) {
  std::vector<std::string> notes;
  for (const auto& event : recording.events()) {
    if (analysis::is_memory_event(*event)) add_threshold(*event, notes);
  }
  if (!lines.any_conflict()) {
    notes.emplace_back(
        "no access found a line that another cache had modified, or the event does not tell: sharing is judged by who "
        "used which bytes, not by what it cost");
  }
  notes.emplace_back(
      "a sample tells where an access begins, not how long it is: accesses that overlap but begin at different bytes "
      "look "
      "like false sharing");
  if (report.counts.unknown_value != 0) notes.push_back(unknown_values(report));
  if (report.skipped != 0) notes.push_back(counted(report.skipped, "sample") + " without a data address, not counted");
  return notes;
}

}  // namespace perfsift::output
