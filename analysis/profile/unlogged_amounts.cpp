#include "analysis/profile/unlogged_amounts.h"

namespace perfsift::analysis {

UnloggedAmounts::UnloggedAmounts(const Profile& profile, const SampleLog& log)
    : profile_(profile), logged_(profile.stack_count()) {
  const auto add = [&](std::uint32_t stack, const Amount& amount) {
    (stack == LoggedSample::no_stack ? frameless_logged_ : logged_[stack]) += amount;
  };
  for (const LoggedSample& sample : log.samples()) add(sample.stack, {.samples = 1, .value = sample.value});
  for (const LoggedAmount& sum : log.amounts()) add(sum.stack, sum.amount);
  for (const StackList& list : profile.lists()) frameless_ += list.frameless();
}

}  // namespace perfsift::analysis
