// The interval machine: from what the scheduler did to the stretches of time in which threads ran and did not.
//
// ```cpp
// Scheduler scheduler(listener);
// scheduler.switch_out({.time = 100, .cpu = 0, .tid = 7});
// scheduler.wakeup({.time = 150, .tid = 7});
// scheduler.switch_in({.time = 160, .cpu = 0, .tid = 7});
// scheduler.finish();
// ```
//
// Every thread is running, off its CPU, or nobody knows, from the first time the recording can have told of it to its
// death or the end. Where two events contradict each other, an event between them was lost: that time is unknown, and
// nothing is invented for it. So the times of a thread always add up to the time it was observed, whatever the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/offcpu/interval.h"
#include "analysis/offcpu/sched_event.h"
#include "analysis/offcpu/thread_clock.h"

namespace perfsift::offcpu {

// Is told what has ended. The scheduler must not be changed meanwhile.
class SchedulerListener {
 public:
  virtual ~SchedulerListener() = default;
  // A thread is back on a CPU, or the recording ends. Not of idle threads.
  virtual void interval(const Interval& /*interval*/) {}
  // A thread, or the idle one, left a CPU it was known to be on, or the recording ends.
  virtual void slice(const Slice& /*slice*/) {}
  // A thread left its CPU: what timehist prints of it.
  virtual void left(ThreadNumber /*thread*/, std::int32_t /*cpu*/, std::uint64_t /*time*/, const TimehistFigures&) {}
};

// What was odd about the input.
struct SchedulerCounts {
  std::uint64_t switches = 0;  // that a thread left by
  std::uint64_t wakeups = 0;
  std::uint64_t late = 0;            // events with a time before that of the one before: taken as if they came then
  std::uint64_t impossible = 0;      // events of threads and CPUs that cannot be: ignored
  std::uint64_t contradictions = 0;  // gaps: stretches of a CPU, or of a thread, in which switches are missing
  std::uint64_t losses = 0;          // records that were lost, as the recording itself says
};

// Takes events in the order of their times. Not thread-safe.
class Scheduler {
 public:
  explicit Scheduler(SchedulerListener& listener) : listener_(listener) {}

  void switch_out(const SwitchOut& event);
  void switch_in(const SwitchIn& event);
  void wakeup(const Wakeup& event);
  void birth(const Birth& event);
  // The thread will not come back when it leaves its CPU next of its own will, unless the state then says otherwise.
  void exit(std::uint64_t time, std::int32_t tid);
  void renumber(const Renumbering& event);
  // A thread is known to run now, and to have done so for `ran`: sched_stat_runtime. Says something new only where
  // switches onto a CPU are not recorded.
  void is_running(const SwitchIn& event, std::uint64_t ran);
  // Records were lost: switches may have been among them.
  void lost(std::uint64_t time, std::uint64_t records);
  // Nothing happened but time.
  void advance(std::uint64_t time);
  // The recording ends: closes every thread's account, and tells of those that are still off.
  void finish();

  std::span<const ThreadClock> threads() const { return threads_; }
  // Who has a tid now; not of idle threads.
  ThreadNumber thread_of(std::int32_t tid) const {
    return tid > 0 && static_cast<std::size_t>(tid) < by_tid_.size() ? by_tid_[static_cast<std::size_t>(tid)]
                                                                     : no_thread;
  }
  const SchedulerCounts& counts() const { return counts_; }
  bool started() const { return started_; }
  std::uint64_t start() const { return start_; }
  std::uint64_t now() const { return now_; }

  // For input without end. The numbers of dead threads are given to new ones from now on, and stacks that wait to be
  // told are no longer known.
  void forget_dead();
  void forget_stacks();

 private:
  using Phase = ThreadClock::Phase;

  struct Cpu {
    ThreadNumber current = no_thread;
    ThreadNumber idle = no_thread;
    ThreadNumber left_last = no_thread;  // who waits to be told who came after it
    bool switched = false;
    bool gap_is_counted = false;  // between its latest switch and the next one
    std::uint64_t last_switch = 0;
  };

  static constexpr std::int32_t most_cpus = 1 << 16;
  static constexpr std::int32_t most_tids = 1 << 22;  // PID_MAX_LIMIT

  bool is_possible(std::int32_t cpu, std::int32_t tid);
  std::uint64_t at(std::uint64_t time);
  // Good until it is asked for another one.
  Cpu& cpu_of(std::int32_t cpu) {
    const auto i = static_cast<std::size_t>(cpu);
    return cpu >= 0 && i < cpus_.size() ? cpus_[i] : new_cpu(cpu);
  }
  Cpu& new_cpu(std::int32_t cpu);

  // The place where the number of a thread is, or comes to be: good until it is asked for another one.
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
  // A switch is missing on the CPU since its latest one.
  void count_gap(Cpu& cpu);
  // The thread, which is the current one of a CPU, must have left it: a switch is missing there.
  void count_gap_where_it_ran(ThreadNumber number);
  bool is_known_gone(ThreadNumber number) const;
  bool is_known_dead(ThreadNumber number) const;
  static void be_off_before(ThreadClock& thread);
  bool is_on(const ThreadClock& thread, ThreadNumber number, std::int32_t cpu) const;

  void close(ThreadNumber number, std::uint64_t now);
  void close_running(ThreadNumber number, std::uint64_t now);
  void close_off(ThreadNumber number, std::uint64_t now, std::int32_t cpu_entered, bool goes_on);
  void close_unknown(ThreadClock& thread, std::uint64_t now);
  void tell_left(ThreadNumber number, std::int32_t cpu, std::uint64_t came, std::uint64_t now);
  void begin(ThreadClock& thread, Phase phase, std::uint64_t now) const;

  SchedulerListener& listener_;
  std::vector<ThreadClock> threads_;
  std::vector<ThreadNumber> free_;
  std::vector<ThreadNumber> by_tid_;
  std::vector<Cpu> cpus_;
  Cpu not_recorded_;  // nobody is told who was there before
  SchedulerCounts counts_;
  std::uint64_t loss_events_ = 0;
  bool started_ = false;
  std::uint64_t start_ = 0;
  std::uint64_t now_ = 0;
};

}  // namespace perfsift::offcpu
