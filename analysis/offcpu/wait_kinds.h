// Finds the kinds of waits from the frames of the stacks at the switch off the CPU.
//
// The kernel's frames show the kind, from the leaf on: ep_poll polls, futex_wait waits in a futex. Only the program's
// frames show the purpose of a futex: __lll_lock_wait is glibc's wait for a mutex. Waits without such frames stay
// `futex` or `other`.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/offcpu/interval.h"
#include "base/hash.h"
#include "filter/wait_kind.h"

namespace perfsift::offcpu {

// The names of a stack's functions, without parameters; inlined calls are ignored.
class StackSymbols {
 public:
  virtual ~StackSymbols() = default;
  // Calls each() for the frames of one part, from the leaf on; with an empty text for frames without a name. A text
  // keeps its address and contents until the stacks are forgotten.
  using EachSymbol = std::function<void(std::string_view name)>;
  virtual void for_each_symbol(StackId stack, bool of_kernel, const EachSymbol& each) = 0;
};

// The meaning of one frame, as sets of filter::WaitKind.
struct FrameMeaning {
  std::uint32_t kinds = 0;
  std::uint32_t weak = 0;    // used where no frame says more
  std::uint32_t around = 0;  // added to the kinds of the frames below
  bool is_named = false;
  bool begins_kernel_thread = false;
  bool works = false;  // a kernel thread does work for others
};
FrameMeaning meaning_of(std::string_view symbol, bool of_kernel);

// The meaning of the frames of one stack, leaf first: a set of filter::WaitKind; 0 without frames. `program` gives the
// program's frames, and is called only where the kernel's frames do not decide.
std::uint64_t wait_of_frames(std::span<const FrameMeaning> kernel,
                             const std::function<std::span<const FrameMeaning>()>& program);

// Each stack is examined once. Not thread-safe; `symbols` must live as long as this object.
class WaitKinds {
 public:
  explicit WaitKinds(StackSymbols& symbols) : symbols_(symbols) {}

  // A set of filter::WaitKind; 0: unknown.
  std::uint64_t of(const Interval& interval);
  // The set for a thread that left its CPU on this stack and was not ready to run; 0 where the stack has no frames.
  std::uint64_t of_stack(StackId stack);
  // Sets the kinds of a stack that need not be examined: those of threads that left on it and were ready to run, or of
  // others.
  void learn(StackId stack, std::uint64_t kinds);
  // Must be called when StackIds change their meaning.
  void forget_stacks();

 private:
  // Flags beside the kinds of a stack in known_.
  static constexpr std::uint32_t looked_at = std::uint32_t{1} << 31;
  static constexpr std::uint32_t looked_for_yield = std::uint32_t{1} << 30;
  static constexpr std::uint32_t yields = std::uint32_t{1} << 29;

  std::uint32_t& known_of(StackId stack);
  bool is_yield(StackId stack);

  struct NameHash {
    std::size_t operator()(const std::pair<const char*, std::size_t>& name) const {
      return spread(reinterpret_cast<std::size_t>(name.first) ^ name.second << 48) >> 16;
    }
  };

  std::uint64_t find(StackId stack);
  const FrameMeaning& meaning(std::string_view name, bool of_kernel);

  StackSymbols& symbols_;
  std::vector<std::uint32_t> known_;  // by StackId
  // [0]: of the program's functions, [1]: of the kernel's; by the addresses of their names.
  std::unordered_map<std::pair<const char*, std::size_t>, FrameMeaning, NameHash> meanings_[2];
};

}  // namespace perfsift::offcpu
