// Turns scheduler events into the intervals and slices in which threads were off and on a CPU.
//
// ```cpp
// Scheduler scheduler(listener);
// scheduler.switch_out({.time = 100, .cpu = 0, .tid = 7});
// scheduler.wakeup({.time = 150, .tid = 7});
// scheduler.switch_in({.time = 160, .cpu = 0, .tid = 7});
// scheduler.finish();
// ```
//
// Each thread is running, off its CPU, or in an unknown state, from the first time at which the recording could have
// shown the thread until the thread's death or the end of the recording. Where two events contradict each other, an
// event between them was lost: that time is unknown, and no events are invented for it. So the times of a thread always
// add up to its observed time, for every input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "analysis/offcpu/interval.h"
#include "analysis/offcpu/sched_event.h"
#include "analysis/offcpu/thread_clock.h"

namespace perfsift::offcpu {

// Gets intervals and slices when they end. The calls must not change the scheduler.
class SchedulerListener {
 public:
  virtual ~SchedulerListener() = default;
  // A thread is back on a CPU, or the recording ends. Not called for idle threads.
  virtual void interval(const Interval& /*interval*/) {}
  // A thread, which may be an idle thread, left a CPU on which it was known to be, or the recording ends.
  virtual void slice(const Slice& /*slice*/) {}
  // A thread left its CPU. The figures are those that timehist prints.
  virtual void left(ThreadNumber /*thread*/, std::int32_t /*cpu*/, std::uint64_t /*time*/, const TimehistFigures&) {}
};

struct IntervalPart;

// Counts of events and of irregularities in the input.
struct SchedulerCounts {
  std::uint64_t switches = 0;  // switches off a CPU
  std::uint64_t wakeups = 0;
  std::uint64_t late = 0;            // events earlier than the event before: handled at the time of that event
  std::uint64_t impossible = 0;      // events with impossible threads or CPUs: ignored
  std::uint64_t contradictions = 0;  // gaps on a CPU, or of a thread, in which switches are missing
  std::uint64_t losses = 0;          // lost records, as reported by the recording
};

// Takes events in the order of their times. Not thread-safe.
class Scheduler {
 public:
  explicit Scheduler(SchedulerListener& listener) : listener_(listener) {}

  void switch_out(const SwitchOut& event);
  void switch_in(const SwitchIn& event);
  void wakeup(const Wakeup& event);
  void birth(const Birth& event);
  // The thread ends at its next voluntary switch off the CPU, unless the state at that switch says otherwise.
  void exit(std::uint64_t time, std::int32_t tid);
  void renumber(const Renumbering& event);
  // A thread is running now and has run for `ran` nanoseconds (sched_stat_runtime). Useful only where switches onto a
  // CPU are not recorded.
  void is_running(const SwitchIn& event, std::uint64_t ran);
  // Records were lost; some of them may have been switches.
  void lost(std::uint64_t time, std::uint64_t records);
  // Advances the time without an event.
  void advance(std::uint64_t time);
  // Waits that were measured in the kernel. Not beside switches.
  void measured(const MeasuredWaits& waits);
  // Switches, wakeups and contradictions that were measured, and do not come by themselves.
  void count_measured(const SchedulerCounts& counts) {
    counts_.switches += counts.switches;
    counts_.wakeups += counts.wakeups;
    counts_.contradictions += counts.contradictions;
  }
  // The recording ends: closes the times of all threads, and reports the intervals of threads that are still off their
  // CPU.
  void finish();

  std::span<const ThreadClock> threads() const { return threads_; }
  // The thread that has this tid now; no_thread for idle threads.
  ThreadNumber thread_of(std::int32_t tid) const {
    return tid > 0 && static_cast<std::size_t>(tid) < by_tid_.size() ? by_tid_[static_cast<std::size_t>(tid)]
                                                                     : no_thread;
  }
  const SchedulerCounts& counts() const { return counts_; }
  bool started() const { return started_; }
  std::uint64_t start() const { return start_; }
  std::uint64_t now() const { return now_; }

  // Functions for endless streams. forget_dead() frees the numbers of dead threads for new threads. forget_stacks()
  // drops the stacks of intervals that have not ended.
  void forget_dead();
  void forget_stacks();

 private:
  using Phase = ThreadClock::Phase;

  struct Cpu {
    ThreadNumber current = no_thread;
    ThreadNumber idle = no_thread;
    ThreadNumber left_last = no_thread;  // the thread whose successor is not known yet
    bool switched = false;
    bool gap_is_counted = false;  // the gap between the latest switch and the next switch
    std::uint64_t last_switch = 0;
  };

  static constexpr std::int32_t most_cpus = 1 << 16;
  static constexpr std::int32_t most_tids = 1 << 22;  // PID_MAX_LIMIT

  bool is_possible(std::int32_t cpu, std::int32_t tid);
  std::uint64_t at(std::uint64_t time);
  // Valid until the next call.
  Cpu& cpu_of(std::int32_t cpu) {
    const auto i = static_cast<std::size_t>(cpu);
    return cpu >= 0 && i < cpus_.size() ? cpus_[i] : new_cpu(cpu);
  }
  Cpu& new_cpu(std::int32_t cpu);

  // The place of a thread's number, no_thread for a new thread. Valid until the next call.
  ThreadNumber& number_of(std::int32_t tid) {
    const auto i = static_cast<std::size_t>(tid);
    if (by_tid_.size() <= i) make_room_for(i);
    return by_tid_[i];
  }
  void make_room_for(std::size_t tid);
  ThreadNumber& number_of(std::int32_t tid, Cpu& cpu) { return tid == 0 ? cpu.idle : number_of(tid); }
  ThreadNumber add(ThreadNumber& place, std::int32_t tid, std::uint64_t first);
  ThreadNumber find_or_add(ThreadNumber& place, std::int32_t pid, std::int32_t tid, std::uint32_t name,
                           std::uint64_t now);
  // Counts a missing switch on the CPU since its latest switch.
  void count_gap(Cpu& cpu);
  // Counts a missing switch on the CPU whose current thread this is: the thread must have left it.
  void count_gap_where_it_ran(ThreadNumber number);
  bool is_known_gone(ThreadNumber number) const;
  bool is_known_elsewhere(ThreadNumber number, const Cpu& cpu) const;
  bool is_known_dead(ThreadNumber number) const;
  static void be_off_before(ThreadClock& thread);
  bool is_on(const ThreadClock& thread, ThreadNumber number, std::int32_t cpu) const;

  void close(ThreadNumber number, std::uint64_t now);
  void close_running(ThreadNumber number, std::uint64_t now);
  // What is known of the end of an interval.
  enum class Return : std::uint8_t { seen, missing, not_yet };
  void close_off(ThreadNumber number, std::uint64_t now, std::int32_t cpu_entered, Return back);
  void close_without_return(ThreadNumber number, std::uint64_t now);
  void close_unknown(ThreadClock& thread, std::uint64_t now);
  void tell_left(ThreadNumber number, std::int32_t cpu, std::uint64_t came, std::uint64_t now);
  void begin(ThreadClock& thread, Phase phase, std::uint64_t now) const;

  ThreadNumber measured_thread(const MeasuredWaits& waits);
  ThreadNumber measured_waker(const MeasuredWaits& waits);
  void tell_measured(const MeasuredWaits& waits, ThreadNumber number, const IntervalPart& part);

  SchedulerListener& listener_;
  std::vector<ThreadClock> threads_;
  std::vector<ThreadNumber> free_;
  std::vector<ThreadNumber> by_tid_;
  std::map<std::pair<std::int32_t, std::uint64_t>, ThreadNumber> measured_;  // by tid and start; 0: not known
  std::vector<Cpu> cpus_;
  Cpu not_recorded_;  // for events without a CPU: reset at each use
  SchedulerCounts counts_;
  std::uint64_t loss_events_ = 0;
  bool started_ = false;
  std::uint64_t start_ = 0;
  std::uint64_t now_ = 0;
};

}  // namespace perfsift::offcpu
