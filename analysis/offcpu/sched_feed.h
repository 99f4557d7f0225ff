// Feeds the scheduler's tracepoints to the Scheduler. The common part of RecordingFeed (a recording) and
// dlfilter::ModuleFeed (the samples that perf shows to a dlfilter), which differ in how they find an event's numbers,
// threads and stacks.
#pragma once

#include <cstdint>

#include "analysis/offcpu/sched_event.h"
#include "analysis/offcpu/sched_tracepoint.h"
#include "analysis/offcpu/scheduler.h"
#include "reader/format/event.h"

namespace perfsift::offcpu {

// A sample of an event other than the scheduler's.
struct OtherSample {
  std::uint64_t time = 0;
  std::int32_t cpu = -1;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  const reader::Event* event = nullptr;
  StackId stack = no_stack;
};

// Off-CPU time measured by BPF: offcpu-time of perf record --off-cpu.
struct OffCpuSum {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t time = 0;  // nanoseconds
  StackId stack = no_stack;
  bool single = false;  // a single interval, not the sum of many
};

class FeedListener {
 public:
  virtual ~FeedListener() = default;
  virtual void sample(const OtherSample& /*sample*/) {}
  virtual void sum(const OffCpuSum& /*sum*/) {}
  // Called after each record and sample.
  virtual void moment(std::uint64_t /*time*/) {}
};

// What the BPF programs of perfsift could not keep.
struct MeasuredLosses {
  std::uint64_t intervals = 0, time = 0;  // for which the table had no room
  std::uint64_t threads = 0;              // times that a thread had no place, so that its next interval is not known
  std::uint64_t stacks = 0;               // intervals without their stack
  std::uint64_t not_sent = 0;             // intervals over the threshold that are in sums only
  std::uint64_t filtered = 0;             // intervals that filters left out

  MeasuredLosses& operator+=(const MeasuredLosses& other) {
    intervals += other.intervals, time += other.time, threads += other.threads;
    stacks += other.stacks, not_sent += other.not_sent, filtered += other.filtered;
    return *this;
  }
};

// What measuring took.
struct MeasuringCost {
  std::uint64_t recorder_time = 0;  // nanoseconds of CPU time
  std::uint64_t program_runs = 0;   // of the BPF programs; 0: the kernel did not count
  std::uint64_t program_time = 0;   // their nanoseconds
  std::uint64_t attach_time = 0;    // nanoseconds that it took to attach them

  MeasuringCost& operator+=(const MeasuringCost& other) {
    recorder_time += other.recorder_time, program_runs += other.program_runs, program_time += other.program_time;
    attach_time += other.attach_time;
    return *this;
  }
};

// The sources of switches in a recording.
struct FeedSources {
  bool switches = false;        // sched:sched_switch
  bool wakeups = false;         // sched:sched_waking or sched:sched_wakeup, or measured
  bool switch_records = false;  // SWITCH, SWITCH_CPU_WIDE
  bool sums = false;            // offcpu-time
  bool measured = false;        // perfsift:wait: BPF programs of perfsift; there is no other source then
  bool only_some = false;       // only some processes were recorded: events of others are incomplete and left out

  // perf's -F and -c choose some events of tracepoints, too: how many sched_switch were recorded, and about how many
  // they stand for, by their periods.
  std::uint64_t switches_recorded = 0, switches_in_all = 0;

  MeasuredLosses losses;
  MeasuringCost cost;
};

struct FeedOptions {
  bool waker_stacks = false;
  bool other_samples = false;  // FeedListener::sample() is called
};

// `Sample`: the source of an event. The functions complete() get the event with its numbers and add the properties of
// its threads: names, processes, stacks. Not thread-safe.
template <typename Sample>
class SchedFeed {
 public:
  SchedFeed(const SchedFeed&) = delete;
  SchedFeed& operator=(const SchedFeed&) = delete;

  const FeedSources& sources() const { return sources_; }

 protected:
  explicit SchedFeed(Scheduler& scheduler) : scheduler_(scheduler) {}
  virtual ~SchedFeed() = default;

  virtual void complete(SwitchOut& out, Sample& sample) = 0;
  virtual void complete(SwitchIn& in, Sample& sample) = 0;
  virtual void complete(Wakeup& wakeup, Sample& sample) = 0;
  virtual void complete(Birth& birth, Sample& sample) = 0;

  void take(const SchedEvent& event, Sample& sample);
  // Whether a thread is not among the recorded threads.
  bool is_foreign(std::int32_t tid) const { return sources_.only_some && scheduler_.thread_of(tid) == no_thread; }

  Scheduler& scheduler_;
  FeedSources sources_;

 private:
  void take_switch(const SchedEvent& event, Sample& sample);
  void take_wakeup(const SchedEvent& event, Sample& sample);
  void take_statistic(const SchedEvent& event);
};

template <typename Sample>
void SchedFeed<Sample>::take(const SchedEvent& event, Sample& sample) {
  switch (event.kind) {
    case SchedKind::switch_:
      return take_switch(event, sample);
    case SchedKind::waking:
    case SchedKind::wakeup:
    case SchedKind::wakeup_new:
      return take_wakeup(event, sample);
    case SchedKind::stat_wait:
    case SchedKind::stat_sleep:
    case SchedKind::stat_runtime:
      return take_statistic(event);
    case SchedKind::fork: {
      Birth birth{.time = event.time, .tid = event.subject};
      complete(birth, sample);
      return scheduler_.birth(birth);
    }
    case SchedKind::exec:
      return scheduler_.renumber({.time = event.time, .old_tid = event.other, .tid = event.subject});
    case SchedKind::other:
    case SchedKind::ignored:
    case SchedKind::off_cpu_sum:
    case SchedKind::measured:
      return;
  }
}

// A thread that the kernel no longer finds by its tid leaves its CPU with pid and tid -1, so the tid in the
// tracepoint's data is used.
template <typename Sample>
void SchedFeed<Sample>::take_switch(const SchedEvent& event, Sample& sample) {
  SwitchOut out{.time = event.time, .cpu = event.cpu, .pid = event.pid, .tid = event.subject};
  out.state = TaskState::of_switch(event.value);
  if (out.tid != 0) complete(out, sample);
  scheduler_.switch_out(out);

  if (is_foreign(event.other)) return;
  SwitchIn in{.time = event.time, .cpu = event.cpu, .tid = event.other};
  if (in.tid != 0) complete(in, sample);
  scheduler_.switch_in(in);
}

template <typename Sample>
void SchedFeed<Sample>::take_wakeup(const SchedEvent& event, Sample& sample) {
  if (is_foreign(event.subject)) return;
  Wakeup wakeup{.time = event.time, .cpu = event.cpu, .tid = event.subject, .waker_pid = event.pid};
  wakeup.waker_tid = is_foreign(event.tid) ? -1 : event.tid;
  wakeup.first = event.kind == SchedKind::wakeup_new;
  complete(wakeup, sample);
  scheduler_.wakeup(wakeup);
}

// The statistics behind /proc/schedstat, as events. Recordings of single processes have these events, but not the
// switches onto a CPU, which happen while another thread is the current thread.
template <typename Sample>
void SchedFeed<Sample>::take_statistic(const SchedEvent& event) {
  if (event.kind == SchedKind::stat_sleep) {
    return scheduler_.wakeup({.time = event.time, .cpu = event.cpu, .tid = event.subject});
  }
  SwitchIn in{.time = event.time, .cpu = event.cpu, .tid = event.subject, .source = Source::confirming};
  if (event.kind == SchedKind::stat_runtime) {
    if (sources_.only_some) scheduler_.is_running(in, event.value);
  } else if (!sources_.switches) {
    in.queued = event.value;
    scheduler_.switch_in(in);
  }
}

}  // namespace perfsift::offcpu
