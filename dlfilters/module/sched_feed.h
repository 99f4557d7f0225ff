// From the samples that perf shows to what the scheduler did.
//
// offcpu::RecordingFeed does the same for a recording. What it reads there and perf does not show are records: of
// switches (--switch-events), of threads that were made and that end, and of what was lost.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/scheduler.h"
#include "dlfilters/module/perf_names.h"
#include "dlfilters/module/sched_tracepoints.h"

namespace perfsift::dlfilter {

// Not thread-safe. Everything it is given must live as long.
class SchedFeed {
 public:
  SchedFeed(offcpu::FeedOptions options, offcpu::Scheduler& scheduler, PerfNames& names, offcpu::FeedListener& listener)
      : options_(options), scheduler_(scheduler), names_(names), listener_(listener) {}

  // In the order of their times. Throws Error for a tracepoint whose layout is not known.
  void sample(PerfSample& sample);

  const offcpu::FeedSources& sources() const { return sources_; }
  // Whether there are records of switches, which are not shown.
  bool misses_switch_records() const { return misses_switch_records_; }

 private:
  enum class Kind : std::uint8_t { other, switch_, waking, wakeup, wakeup_new, fork, exec, off_cpu_sum };

  Kind kind_of(PerfSample& sample);
  static Kind find_kind(std::string_view event);
  bool is_foreign(std::int32_t tid) const { return only_some_ && scheduler_.thread_of(tid) == offcpu::no_thread; }
  bool is_named(std::int32_t tid) const;
  std::uint32_t name_of(PerfSample& sample);

  bool take(PerfSample& sample, Kind kind);
  bool take_switch(PerfSample& sample);
  void switch_out(PerfSample& sample, const SchedSwitch& event);
  void switch_in(const reader::Sample& sample, const SchedSwitch& event);
  bool take_wakeup(PerfSample& sample, bool is_new);
  bool take_fork(PerfSample& sample);
  bool take_exec(const reader::Sample& sample);
  void take_sum(PerfSample& sample);

  const offcpu::FeedOptions options_;
  offcpu::Scheduler& scheduler_;
  PerfNames& names_;
  offcpu::FeedListener& listener_;
  offcpu::FeedSources sources_;
  std::unordered_map<const char*, Kind> kinds_;  // by the event's name
  bool waking_ = false;                          // sched_waking is recorded
  bool only_some_ = false;                       // it is of some processes: see RecordingFeed
  bool misses_switch_records_ = false;
};

}  // namespace perfsift::dlfilter
