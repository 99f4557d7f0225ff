// Turns the samples that perf shows to a dlfilter into events of the scheduler.
//
// offcpu::RecordingFeed does the same for a recording, and reads records that perf does not show: of switches
// (--switch-events), of threads that start and exit, and of losses.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "analysis/offcpu/sched_feed.h"
#include "dlfilters/module/perf_names.h"

namespace perfsift::dlfilter {

// Not thread-safe. All arguments of the constructor must outlive it.
class ModuleFeed : private offcpu::SchedFeed<PerfSample> {
 public:
  ModuleFeed(offcpu::FeedOptions options, offcpu::Scheduler& scheduler, PerfNames& names,
             offcpu::FeedListener& listener)
      : SchedFeed(scheduler), options_(options), names_(names), listener_(listener) {}

  // Samples must come in the order of their times. Throws Error for a tracepoint of an unknown layout.
  void sample(PerfSample& sample);

  using SchedFeed::sources;
  // Whether the recording has records of switches, which perf does not show to a dlfilter.
  bool misses_switch_records() const { return misses_switch_records_; }

 private:
  offcpu::SchedKind kind_of(PerfSample& sample);
  bool is_named(std::int32_t tid) const;
  std::uint32_t name_of(PerfSample& sample);

  void complete(offcpu::SwitchOut& out, PerfSample& sample) override;
  void complete(offcpu::SwitchIn& in, PerfSample& sample) override;
  void complete(offcpu::Wakeup& wakeup, PerfSample& sample) override;
  void complete(offcpu::Birth& birth, PerfSample& sample) override;
  void take_sum(PerfSample& sample);

  const offcpu::FeedOptions options_;
  PerfNames& names_;
  offcpu::FeedListener& listener_;
  std::unordered_map<const char*, offcpu::SchedKind> kinds_;  // by the event's name
  bool waking_ = false;                                       // sched_waking is recorded
  bool misses_switch_records_ = false;
};

}  // namespace perfsift::dlfilter
