// Waits that cost nothing: a server without requests, a kernel thread that waits for work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/offcpu/names.h"

namespace perfsift::offcpu {

// A list of rules, one per line; `#` starts a comment. A rule is one or more names of functions, in which `*` stands
// for any text and `?` for any letter. A wait is idle if, for some rule, each name of the rule matches a frame of the
// stack. Not thread-safe.
class IdleWaits {
 public:
  // The built-in list, which --show-idle-list prints.
  static const char* const built_in;

  IdleWaits(const std::string& list, Names& names);

  // Whether the interval is idle. Only intervals of threads that left the CPU voluntarily can be idle.
  bool is_idle(const Interval& interval);
  // Must be called when StackIds change their meaning.
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
