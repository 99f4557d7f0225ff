// The state of a thread when it left its CPU, as in prev_state of sched:sched_switch.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfsift::offcpu {

// Bits of the kernel's TASK_REPORT (include/linux/sched.h), unchanged since Linux 4.14, and further bits for states
// without a bit in the kernel.
class TaskState {
 public:
  // __trace_sched_switch_state() gives TASK_REPORT_MAX for a preempted thread, and 0 for a thread that yielded.
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
    // Not in the kernel:
    waiting = 0x10000,    // left voluntarily; a SWITCH record has no more details
    created = 0x20000,    // created, and has never run
    not_known = 0x40000,  // off its CPU before its first event
  };

  constexpr TaskState() = default;
  constexpr explicit TaskState(std::uint32_t bits) : bits_(bits) {}
  // Before Linux 4.14, prev_state has the preemption mark in another bit, always above the states.
  static constexpr TaskState of_switch(std::uint64_t prev_state) {
    constexpr std::uint64_t states = 0xff;
    return TaskState((prev_state & ~states) != 0 ? preempted : static_cast<std::uint32_t>(prev_state));
  }

  constexpr std::uint32_t bits() const { return bits_; }
  // Whether the thread left involuntarily or yielded: the whole interval is spent in a run queue.
  constexpr bool is_runnable() const { return bits_ == running || (bits_ & preempted) != 0; }
  constexpr bool is_dead() const { return (bits_ & (dead | zombie)) != 0; }
  constexpr bool operator==(const TaskState&) const = default;

  // The letter that ps and sched:sched_switch show: R, S, D, T, t, X, Z, P, I; 'R' for preempted threads too; 'N' for
  // created threads, and '?' if unknown.
  char letter() const;
  // "preempted", "sleeping", …
  std::string_view name() const;
  // The state with this name; not_known for others.
  static TaskState named(std::string_view name);

 private:
  std::uint32_t bits_ = not_known;
};

}  // namespace perfsift::offcpu
