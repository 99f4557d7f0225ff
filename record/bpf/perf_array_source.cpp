#include "record/bpf/perf_array_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include <fmt/format.h>

#include "base/error.h"
#include "record/bpf/bpf_objects.h"
#include "record/event_opener.h"
#include "record/machine/online_cpus.h"
#include "record/target.h"

namespace perfsift::record {

namespace {

namespace bit = reader::sample_bit;

// The ring wakes its reader when it is half full.
reader::EventAttr output_attr(std::size_t ring_bytes) {
  reader::EventAttr attr{.type = reader::event_type::software, .config = reader::software_event::bpf_output};
  attr.sample_period = 1;
  attr.sample_type = bit::identifier | bit::ip | bit::tid | bit::time | bit::cpu | bit::raw;
  attr.read_format = reader::read_format::id | reader::read_format::lost;
  attr.set(reader::attr_flag::sample_id_all);
  attr.set(reader::attr_flag::watermark);
  attr.set(reader::attr_flag::use_clockid);
  attr.clock_id = CLOCK_MONOTONIC;
  attr.wakeup_events = static_cast<std::uint32_t>(ring_bytes / 2);
  return attr;
}

}  // namespace

PerfArraySource::PerfArraySource(RingMap map, const PayloadSourcePlan& plan) : map_(std::move(map)) {
  const std::size_t bytes = ring_bytes({.bytes = plan.ring_bytes});
  events_.push_back({.attr = output_attr(bytes), .name = "bpf-output"});
  open_events(plan);
  rings_ =
      std::make_unique<RingSet>(counters_, events_, RingSet::Sizes{.ordinary = bytes, .overwritten = 0}, left_out_);
  for (const OpenCounter& open : counters_) wake_ups_.add(open.counter);
  put_into_map();
}

// A CPU without an element in the map cannot write.
std::vector<unsigned> PerfArraySource::cpus_of(const PayloadSourcePlan& plan) {
  const std::vector<unsigned> online = online_cpus(plan.roots);
  std::vector<unsigned> cpus = plan.cpus.empty() ? online : plan.cpus;
  std::ranges::sort(cpus);
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  for (const unsigned cpu : cpus) {
    if (std::ranges::find(online, cpu) == online.end()) throw UsageError(fmt::format("CPU {} is not online", cpu));
  }
  const std::size_t before = cpus.size();
  std::erase_if(cpus, [&](unsigned cpu) { return cpu >= map_.info.max_entries; });
  if (cpus.empty())
    throw UsageError(fmt::format("the map has {} elements: none for these CPUs", map_.info.max_entries));
  if (cpus.size() != before) {
    left_out_.push_back(
        fmt::format("the map has {} elements: {} CPUs have none", map_.info.max_entries, before - cpus.size()));
  }
  return cpus;
}

void PerfArraySource::open_events(const PayloadSourcePlan& plan) {
  EventOpener opener(events_.front(), nullptr, plan.roots, left_out_);
  for (const unsigned cpu : cpus_of(plan)) {
    const Place place{.tid = -1, .cpu = static_cast<std::int32_t>(cpu)};
    if (auto counter = opener.open({.tid = place.tid, .cpu = place.cpu}))
      counters_.push_back({.counter = std::move(*counter), .event = 0, .place = place});
  }
}

void PerfArraySource::put_into_map() {
  for (const OpenCounter& open : counters_) {
    const auto cpu = static_cast<std::uint32_t>(open.place.cpu);
    if (update_bpf_map(map_.file.get(), cpu, static_cast<std::uint32_t>(open.counter.fd()))) continue;
    throw Error(
        fmt::format("the map '{}' does not take an event for CPU {}: {}", map_.info.name, cpu, std::strerror(errno)));
  }
}

std::vector<std::uint64_t> PerfArraySource::ids() const {
  std::vector<std::uint64_t> ids;
  for (const OpenCounter& open : counters_) ids.push_back(open.counter.id());
  return ids;
}

// A counter has a ring of its own, because its CPU is its own.
std::vector<PayloadCounts> PerfArraySource::counts() const {
  const std::vector<RingCounts> rings = rings_->counts(counters_);
  std::vector<PayloadCounts> counts;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const RingCounts& ring = rings[rings_->ring_of(i)];
    counts.push_back({.cpu = static_cast<unsigned>(counters_[i].place.cpu),
                      .received = ring.samples,
                      .lost = ring.lost(),
                      .damaged = ring.damaged});
  }
  return counts;
}

}  // namespace perfsift::record
