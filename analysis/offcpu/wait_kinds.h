// In which way threads waited, by the frames of the stacks they left their CPUs on.
//
// The kernel's frames tell it, from the leaf on: ep_poll polls, futex_wait waits in a futex. What a futex is for only
// the program's frames tell: __lll_lock_wait is glibc's for a mutex. What a stack does not tell stays `futex` or
// `other`.
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

// What the functions of a stack are called, without parameters; inlined calls do not count.
class StackSymbols {
 public:
  virtual ~StackSymbols() = default;
  // Hands out the frames of one part, from the leaf on; those without a name as empty texts. Equal texts at one address
  // stay until the stacks are forgotten.
  using EachSymbol = std::function<void(std::string_view name)>;
  virtual void for_each_symbol(StackId stack, bool of_kernel, const EachSymbol& each) = 0;
};

// What one frame says, in sets of filter::WaitKind.
struct FrameMeaning {
  std::uint32_t kinds = 0;
  std::uint32_t weak = 0;    // where no frame says more
  std::uint32_t around = 0;  // besides what the frames below it say
  bool is_named = false;
  bool begins_kernel_thread = false;
  bool works = false;  // a thread of the kernel does something for others
};
FrameMeaning meaning_of(std::string_view symbol, bool of_kernel);

// What the frames of one stack, leaf first, say together: a set of filter::WaitKind; 0 where there are none. `program`:
// those of the program, which are only asked for where those of the kernel do not tell.
std::uint64_t wait_of_frames(std::span<const FrameMeaning> kernel,
                             const std::function<std::span<const FrameMeaning>()>& program);

// Each stack is looked at once. Not thread-safe; the symbols must live as long.
class WaitKinds {
 public:
  explicit WaitKinds(StackSymbols& symbols) : symbols_(symbols) {}

  // A set of filter::WaitKind; 0 where nothing is known.
  std::uint64_t of(const Interval& interval);
  // Of a thread that left its CPU on this stack and was not ready to run; 0 where the stack has no frames.
  std::uint64_t of_stack(StackId stack);
  // The stacks have other numbers from now on.
  void forget_stacks();

 private:
  // Besides the kinds of a stack.
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
  // Of the program's functions and of the kernel's, by where their names lie.
  std::unordered_map<std::pair<const char*, std::size_t>, FrameMeaning, NameHash> meanings_[2];
};

}  // namespace perfsift::offcpu
