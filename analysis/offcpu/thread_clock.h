// How one thread spent its time.
#pragma once

#include <cstdint>

#include "analysis/offcpu/interval.h"

namespace perfsift::offcpu {

// Times in nanoseconds. The sum is the thread's observed time.
struct ThreadTimes {
  std::uint64_t run = 0;
  std::uint64_t run_queue = 0;
  std::uint64_t blocked = 0;
  std::uint64_t unknown = 0;

  std::uint64_t total() const { return run + run_queue + blocked + unknown; }
};

// The figures of `perf sched timehist` for one slice on a CPU: timehist_update_runtime_stats() in
// tools/perf/builtin-sched.c. timehist counts the wait before a slice at the end of the slice, counts the time from the
// wakeup to the switch even where that is only a part of the run-queue time, and counts nothing before the first
// switch.
struct TimehistFigures {
  std::uint64_t wait = 0;
  std::uint64_t delay = 0;
  std::uint64_t run = 0;

  void add(const TimehistFigures& other) {
    wait += other.wait;
    delay += other.delay;
    run += other.run;
  }
};

struct ThreadClock {
  enum class Phase : std::uint8_t {
    unknown,  // never seen on a CPU or off a CPU
    running,
    off,
    dead,
  };

  std::int32_t tid = -1;
  std::int32_t pid = -1;
  std::uint32_t name = 0;    // the latest name
  std::uint64_t named = 0;   // of measured waits, which come in no order: the time of the latest name
  std::uint64_t first = 0;   // start of the observed time
  std::uint64_t since = 0;   // start of the phase; for dead threads, time of death
  std::uint64_t losses = 0;  // number of loss events up to `since`
  Phase phase = Phase::unknown;
  bool exiting = false;
  std::int32_t cpu = -1;       // where the thread runs, or ran last
  std::uint32_t switches = 0;  // switches off a CPU
  std::uint32_t wakeups = 0;   // wakeups of the thread
  std::uint32_t migrations = 0;
  ThreadTimes times;

  // While the thread is off its CPU.
  std::uint64_t woken_at = 0;
  bool woken = false;
  bool began_before = false;
  std::uint64_t cgroup = 0;
  TaskState state;
  StackId stack = no_stack;
  StackOrigin origin = StackOrigin::none;
  Waker waker;
  ThreadNumber successor = no_thread;

  // For TimehistFigures; 0: none, as in timehist.
  std::uint64_t last_left = 0;
  std::uint64_t ready = 0;
  TimehistFigures timehist;

  // The observed time, which is the sum of `times`. Valid after Scheduler::finish().
  std::uint64_t observed() const { return since - first; }
};

}  // namespace perfsift::offcpu
