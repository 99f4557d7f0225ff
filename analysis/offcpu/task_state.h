// What a thread was doing when it left its CPU, as prev_state of sched:sched_switch says it.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfsift::offcpu {

// Bits of the kernel's TASK_REPORT (include/linux/sched.h), which have been the same since Linux 4.14, and what the
// kernel has no bit for.
class TaskState {
 public:
  // __trace_sched_switch_state() says TASK_REPORT_MAX of one that was preempted, and 0 of one that yielded.
  enum Bit : std::uint32_t {
    running = 0,
    sleeping = 0x1,
    uninterruptible = 0x2,
    stopped = 0x4,
    traced = 0x8,
    dead = 0x10,
    zombie = 0x20,
    parked = 0x40,
    idle = 0x80,
    preempted = 0x100,
    // Of our own:
    waiting = 0x10000,    // it left of its own will; a SWITCH record does not say more
    created = 0x20000,    // it was made, and has never run
    not_known = 0x40000,  // it was off its CPU before the first event that tells of it
  };

  constexpr TaskState() = default;
  constexpr explicit TaskState(std::uint32_t bits) : bits_(bits) {}
  // Before Linux 4.14 prev_state has the mark of a preemption at another place, always above the states.
  static constexpr TaskState of_switch(std::uint64_t prev_state) {
    constexpr std::uint64_t states = 0xff;
    return TaskState((prev_state & ~states) != 0 ? preempted : static_cast<std::uint32_t>(prev_state));
  }

  constexpr std::uint32_t bits() const { return bits_; }
  // It would have liked to stay: all the time until it is back is spent in a run queue.
  constexpr bool is_runnable() const { return bits_ == running || (bits_ & preempted) != 0; }
  constexpr bool is_dead() const { return (bits_ & (dead | zombie)) != 0; }
  constexpr bool operator==(const TaskState&) const = default;

  // The letter that ps and sched:sched_switch show: R, S, D, T, t, X, Z, P, I; 'R' of a preempted one too; N of a
  // created one and '?' where it is not known.
  char letter() const;
  // "preempted", "sleeping", …
  std::string_view name() const;

 private:
  std::uint32_t bits_ = not_known;
};

}  // namespace perfsift::offcpu
