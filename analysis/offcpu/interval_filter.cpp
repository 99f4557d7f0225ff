#include "analysis/offcpu/interval_filter.h"

namespace perfsift::offcpu {

bool IntervalFilter::keeps(const ThreadClock& thread, const Names& names, std::uint64_t now) const {
  if (!limits_.pids.empty() && !limits_.pids.contains(thread.pid)) return false;
  if (!limits_.tids.empty() && !limits_.tids.contains(thread.tid)) return false;
  if (!limits_.comms.empty() && !keeps_name(thread, names)) return false;
  return !(limits_.user_threads || limits_.kernel_threads) ||
         names.is_kernel_thread(thread, now) == limits_.kernel_threads;
}

// A thread without a name is shown as its number, so its text is compared each time.
bool IntervalFilter::keeps_name(const ThreadClock& thread, const Names& names) const {
  if (thread.name == 0) return limits_.comms.contains(names.recorded_comm(thread));
  if (answers_.size() <= thread.name) answers_.resize(thread.name + std::size_t{1});
  Answer& answer = answers_[thread.name];
  if (answer == Answer::not_yet)
    answer = limits_.comms.contains(names.recorded_comm(thread)) ? Answer::yes : Answer::no;
  return answer == Answer::yes;
}

// A mask of 0 keeps only threads that were ready to run, as in bcc.
bool IntervalFilter::keeps(const Interval& interval) const {
  if (interval.length() < limits_.min_length || interval.length() > limits_.max_length) return false;
  if (limits_.state_letters && !limits_.state_letters->contains(interval.state.letter())) return false;
  if (limits_.state_mask)
    return *limits_.state_mask == 0 ? interval.state.is_runnable() : (interval.state.bits() & *limits_.state_mask) != 0;
  return true;
}

}  // namespace perfsift::offcpu
