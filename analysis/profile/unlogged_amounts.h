// What a profile has and its log of samples does not: folded text, losses.
#pragma once

#include <cstdint>
#include <utility>

#include "analysis/profile/profile.h"
#include "analysis/profile/sample_log.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

// Outputs that are written sample by sample add these amounts, so that their sums are those of the profile.
class UnloggedAmounts {
 public:
  UnloggedAmounts(const Profile& profile, const SampleLog& log);

  // Calls use(stack, event, amount) for each stack that has more than the log, in the order of their numbers, and once
  // for LoggedSample::no_stack.
  template <typename Use>
  void for_each(Use&& use) const {
    std::uint32_t stack = 0;
    for (const StackList& list : profile_.lists()) {
      for (const StackList::Entry& entry : list.entries()) {
        const Amount rest = minus(entry.amount, logged_[stack]);
        if (rest != Amount()) use(stack, profile_.callers(entry.callers).event, rest);
        ++stack;
      }
    }
    if (const Amount rest = minus(frameless_, frameless_logged_); rest != Amount())
      use(LoggedSample::no_stack, EventId{0}, rest);
  }

 private:
  static Amount minus(Amount all, const Amount& part) { return all -= part; }

  const Profile& profile_;
  LargeVector<Amount> logged_;  // by stack
  Amount frameless_, frameless_logged_;
};

}  // namespace perfsift::analysis
