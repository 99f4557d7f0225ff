// How the time of one thread was spent.
#pragma once

#include <cstdint>

#include "analysis/offcpu/interval.h"

namespace perfsift::offcpu {

// Adds up to the time a thread was observed.
struct ThreadTimes {
  std::uint64_t run = 0;
  std::uint64_t run_queue = 0;
  std::uint64_t blocked = 0;
  std::uint64_t unknown = 0;

  std::uint64_t total() const { return run + run_queue + blocked + unknown; }
};

// The figures of `perf sched timehist` for one stretch on a CPU: timehist_update_runtime_stats() in
// tools/perf/builtin-sched.c. It counts the time before a thread came onto its CPU when it leaves it again, the time
// from the wakeup to the switch even where that is not all of the time in a run queue, and nothing before the first
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
    unknown,  // it was never seen on a CPU, nor off it
    running,
    off,
    dead,
  };

  std::int32_t tid = -1;
  std::int32_t pid = -1;
  std::uint32_t name = 0;    // the latest
  std::uint64_t first = 0;   // observed from here
  std::uint64_t since = 0;   // when the phase began; of a dead one, when it ended
  std::uint64_t losses = 0;  // how often records had been lost by then
  Phase phase = Phase::unknown;
  bool exiting = false;
  std::int32_t cpu = -1;       // where it runs, or ran last
  std::uint32_t switches = 0;  // that it left by
  std::uint32_t wakeups = 0;   // of it
  std::uint32_t migrations = 0;
  ThreadTimes times;

  // While it is off.
  std::uint64_t woken_at = 0;
  bool woken = false;
  bool began_before = false;
  std::uint64_t cgroup = 0;
  TaskState state;
  StackId stack = no_stack;
  StackOrigin origin = StackOrigin::none;
  Waker waker;
  ThreadNumber successor = no_thread;

  // For TimehistFigures; 0 is none, as it is there.
  std::uint64_t last_left = 0;
  std::uint64_t ready = 0;
  TimehistFigures timehist;

  // When all accounts are closed, see Scheduler::finish(): how long it was there. What its times add up to.
  std::uint64_t observed() const { return since - first; }
};

}  // namespace perfsift::offcpu
