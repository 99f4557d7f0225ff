// Passes the scheduler's results through the filters to the consumers.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include "analysis/offcpu/analysis.h"
#include "analysis/offcpu/consumer.h"
#include "analysis/offcpu/idle_waits.h"
#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/scheduler.h"

namespace perfsift::offcpu {

// Decides whether an interval, or a sum made by BPF, is kept. Called once for each, in the order of their ends.
class Selection {
 public:
  virtual ~Selection() = default;
  virtual bool keeps(const Interval& interval) = 0;
  virtual bool keeps(const OffCpuSum& sum) = 0;
};

// Numbers of intervals. A sum made by BPF counts as one interval.
struct IntervalCounts {
  std::uint64_t seen = 0;
  std::uint64_t whole = 0;  // complete ones among `seen`; see Interval::is_whole()
  std::uint64_t kept = 0;   // kept by all filters
};

// Not thread-safe. Selections and listeners must live longer.
class Dispatcher : public Consumer {
 public:
  // Adds a selection; what it does not keep is left out. Selections are called in the order in which they were added.
  void select(Selection& selection) { selections_.push_back(&selection); }
  // Leaves out idle intervals.
  void leave_out(IdleWaits& idle) { idle_ = &idle; }
  // Calls only the functions that the listener's class overrides: there are millions of calls, and most listeners need
  // one kind.
  template <typename Listener>
  void add(Listener& listener) {
    if constexpr (std::derived_from<Listener, SchedulerListener>) {
      if (overrides(&Listener::interval, &SchedulerListener::interval)) on_interval_.push_back(&listener);
      if (overrides(&Listener::slice, &SchedulerListener::slice)) on_slice_.push_back(&listener);
      if (overrides(&Listener::left, &SchedulerListener::left)) on_left_.push_back(&listener);
    }
    if constexpr (std::derived_from<Listener, FeedListener>) {
      if (overrides(&Listener::sample, &FeedListener::sample)) on_sample_.push_back(&listener);
      if (overrides(&Listener::sum, &FeedListener::sum)) on_sum_.push_back(&listener);
      if (overrides(&Listener::moment, &FeedListener::moment)) on_moment_.push_back(&listener);
    }
  }

  void interval(const Interval& interval) override {
    counts_.seen += interval.count;
    if (interval.is_whole()) counts_.whole += interval.count;
    if (!selected(interval)) return;
    if (idle_ != nullptr && idle_->is_idle(interval)) return left_out_.add(interval);
    counts_.kept += interval.count;
    for (SchedulerListener* listener : on_interval_) listener->interval(interval);
  }
  void slice(const Slice& slice) override {
    for (SchedulerListener* listener : on_slice_) listener->slice(slice);
  }
  void left(ThreadNumber thread, std::int32_t cpu, std::uint64_t time, const TimehistFigures& figures) override {
    for (SchedulerListener* listener : on_left_) listener->left(thread, cpu, time, figures);
  }
  void sample(const OtherSample& sample) override {
    for (FeedListener* listener : on_sample_) listener->sample(sample);
  }
  void sum(const OffCpuSum& sum) override {
    ++counts_.seen;
    if (!selected(sum)) return;
    ++counts_.kept;
    for (FeedListener* listener : on_sum_) listener->sum(sum);
  }
  void moment(std::uint64_t time) override {
    for (FeedListener* listener : on_moment_) listener->moment(time);
  }

  const IntervalSums& left_out() const { return left_out_; }
  const IntervalCounts& counts() const { return counts_; }

 private:
  // The type of a pointer to member names the class that declares the member.
  template <typename Member, typename Inherited>
  static constexpr bool overrides(Member, Inherited) {
    return !std::same_as<Member, Inherited>;
  }

  template <typename Ended>
  bool selected(const Ended& ended) const {
    return std::ranges::all_of(selections_, [&](Selection* selection) { return selection->keeps(ended); });
  }

  std::vector<Selection*> selections_;
  IdleWaits* idle_ = nullptr;
  std::vector<SchedulerListener*> on_interval_, on_slice_, on_left_;
  std::vector<FeedListener*> on_sample_, on_sum_, on_moment_;
  IntervalSums left_out_;
  IntervalCounts counts_;
};

}  // namespace perfsift::offcpu
