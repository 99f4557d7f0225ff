#include "analysis/offcpu/task_state.h"

#include <algorithm>
#include <iterator>

namespace perfsift::offcpu {
namespace {

struct Shown {
  TaskState::Bit bit;
  char letter;
  std::string_view name;
};

// A state may have several bits; the first match here is shown.
constexpr Shown shown_states[] = {
    {TaskState::preempted, 'R', "preempted"}, {TaskState::uninterruptible, 'D', "uninterruptible"},
    {TaskState::sleeping, 'S', "sleeping"},   {TaskState::stopped, 'T', "stopped"},
    {TaskState::traced, 't', "traced"},       {TaskState::dead, 'X', "dead"},
    {TaskState::zombie, 'Z', "zombie"},       {TaskState::parked, 'P', "parked"},
    {TaskState::idle, 'I', "idle"},           {TaskState::waiting, 'S', "waiting"},
    {TaskState::created, 'N', "created"},     {TaskState::not_known, '?', "unknown"},
};

const Shown& shown(std::uint32_t bits) {
  static constexpr Shown running{TaskState::running, 'R', "running"};
  static constexpr Shown other{TaskState::not_known, '?', "unknown"};
  if (bits == TaskState::running) return running;
  for (const Shown& state : shown_states) {
    if ((bits & state.bit) != 0) return state;
  }
  return other;
}

}  // namespace

char TaskState::letter() const { return shown(bits_).letter; }
std::string_view TaskState::name() const { return shown(bits_).name; }

TaskState TaskState::named(std::string_view name) {
  if (name == TaskState(running).name()) return TaskState(running);
  const auto* const found = std::ranges::find(shown_states, name, &Shown::name);
  return TaskState(found != std::end(shown_states) ? found->bit : not_known);
}

}  // namespace perfsift::offcpu
