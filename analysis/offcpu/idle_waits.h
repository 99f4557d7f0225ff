// Waits that are nobody's loss: a server that has nothing to do, a thread of the kernel that waits for work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/offcpu/names.h"

namespace perfsift::offcpu {

// A list of rules, one a line, `#` begins a comment. A rule is one or more names of functions, in which `*` and `?`
// stand for any text and any letter; a wait is idle if each of a rule's names is that of a frame of its stack. Not
// thread-safe.
class IdleWaits {
 public:
  // The built-in list, which --show-idle-list prints.
  static const char* const built_in;

  IdleWaits(const std::string& list, Names& names);

  // Of a thread that left of its own will.
  bool is_idle(const Interval& interval);
  // The stacks have other numbers from now on.
  void forget_stacks() { answers_.clear(); }

 private:
  using Rule = std::vector<std::string>;
  enum class Answer : std::uint8_t { not_yet, no, yes };

  bool find(StackId stack);

  Names& names_;
  std::vector<Rule> rules_;
  std::vector<Answer> answers_;  // by StackId
};

}  // namespace perfsift::offcpu
