// The letters of the state of a task in prev_state of sched:sched_switch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perfsift::filter {

// The kernel's letters by bit: include/trace/events/sched.h and TASK_STATE_TO_CHAR_STR in include/linux/sched.h since
// 4.14. The lowest bit that is set decides.
inline constexpr std::array<std::string_view, 8> task_state_letters = {"S", "D", "T", "t", "X", "Z", "P", "I"};
inline constexpr std::string_view running_task = "R";     // no bit is set
inline constexpr std::string_view preempted_task = "R+";  // only bits above the states are set

constexpr std::string_view task_state(std::uint64_t state) {
  for (std::size_t bit = 0; bit < task_state_letters.size(); ++bit) {
    if ((state >> bit & 1) != 0) return task_state_letters[bit];
  }
  return state != 0 ? preempted_task : running_task;
}

}  // namespace perfsift::filter
