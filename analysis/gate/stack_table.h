// The distinct stacks of all runs, as lists of functions: what a gate counts.
//
// Addresses, lines and folders differ from build to build. Here a function is its name and the file name of its binary,
// and stacks of equal functions are one stack, so that each stack of both sides is looked at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/profile.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

// Index into GateStacks::functions().
using FunctionId = std::uint32_t;

struct GateFunction {
  std::string_view name;    // as in the profile, which must live as long
  std::string_view binary;  // the file name; empty: not known
  FrameKind kind = FrameKind::other;
  bool unnamed = false;  // the text is that of the binary, because the address has no name
};

// Immutable. Numbers of stacks and of functions are in the order of their first stack in the profile.
class GateStacks {
 public:
  // The stack of samples without frames.
  static constexpr std::uint32_t no_frames = 0;

  // Of all stacks of the profile, which must live longer. Frames of threads, control groups and events are no
  // functions. The result does not depend on the number of threads.
  explicit GateStacks(const Profile& profile, unsigned threads = 1);

  const std::vector<GateFunction>& functions() const { return functions_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(starts_.size() - 1); }
  // Root first.
  std::span<const FunctionId> functions_of(std::uint32_t stack) const {
    return std::span(frames_).subspan(starts_[stack], starts_[stack + 1] - starts_[stack]);
  }
  // Whether the stack is one of an interrupt: see filter::StackContext::is_interrupt(). In text that does not tell the
  // kernel's frames from others, names decide.
  bool is_interrupt(std::uint32_t stack) const { return any_interrupt() && interrupts_[stack]; }
  bool any_interrupt() const { return !interrupts_.empty(); }
  // By the number of the stack in the profile: see Profile::first_stack().
  std::uint32_t stack_of(std::uint32_t stack_in_profile) const { return stacks_[stack_in_profile]; }

 private:
  void find_interrupts();

  std::vector<GateFunction> functions_;
  LargeVector<FunctionId> frames_;
  LargeVector<std::size_t> starts_;    // of each stack in frames_, and the end
  LargeVector<std::uint32_t> stacks_;  // by the number in the profile
  std::vector<bool> interrupts_;       // by stack; empty: there is none
};

}  // namespace perfsift::analysis
