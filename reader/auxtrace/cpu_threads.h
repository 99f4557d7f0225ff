// Which thread ran on each CPU, by SWITCH records: for traces that do not say so themselves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reader/auxtrace/counter_clock.h"
#include "reader/format/record.h"
#include "reader/records/process.h"

namespace perfsift::reader {

// Const members are thread-safe.
class CpuThreads {
 public:
  // The record of a thread that leaves a CPU names the next thread, but only if it is a SWITCH_CPU_WIDE record
  // (arm_spe_context_switch() in tools/perf/util/arm-spe.c). The record of a thread that comes names this thread.
  void take(const Record& record, const SampleId& id, const CounterClock& clock) {
    const auto change = decode_switch(record);
    if (!change || id.cpu < 0 || id.time == no_time) return;
    const std::uint64_t counter = clock.counter(id.time);
    if (!change->out) return void(cpus_[id.cpu].push_back({counter, id.tid}));
    if (change->other) cpus_[id.cpu].push_back({counter, change->other->tid});
  }

  // Must be called after the last record.
  void sort() {
    for (auto& [cpu, changes] : cpus_) std::ranges::stable_sort(changes, {}, &Change::counter);
  }

  // -1: unknown.
  std::int32_t at(std::int32_t cpu, std::uint64_t counter) const {
    const auto changes = cpus_.find(cpu);
    if (changes == cpus_.end()) return -1;
    const auto after = std::ranges::upper_bound(changes->second, counter, {}, &Change::counter);
    return after == changes->second.begin() ? -1 : std::prev(after)->tid;
  }

 private:
  struct Change {
    std::uint64_t counter;
    std::int32_t tid;
  };
  std::unordered_map<std::int32_t, std::vector<Change>> cpus_;
};

}  // namespace perfsift::reader
