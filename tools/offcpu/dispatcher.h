// Hands what the interval machine finds to everybody who wants it, after the filters.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "tools/offcpu/analysis.h"
#include "tools/offcpu/consumer.h"
#include "tools/offcpu/idle_waits.h"
#include "tools/offcpu/interval_filter.h"
#include "tools/offcpu/recording_feed.h"
#include "tools/offcpu/scheduler.h"

namespace perfsift::offcpu {

// Says of each interval, and of each sum that BPF made, whether it counts; asked once, in the order in which they end.
class Selection {
 public:
  virtual ~Selection() = default;
  virtual bool keeps(const Interval& interval) = 0;
  virtual bool keeps(const OffCpuSum& sum) = 0;
};

// Sums that BPF made count as intervals.
struct IntervalCounts {
  std::uint64_t seen = 0;
  std::uint64_t whole = 0;  // of those seen; see Interval::is_whole()
  std::uint64_t kept = 0;   // by all filters
};

class Dispatcher : public Consumer {
 public:
  // A filter that is prepared.
  explicit Dispatcher(const IntervalFilter& filter) : filter_(filter), filters_(filter.any()) {}

  // Before anything is handed on.
  void use(const Scheduler& scheduler, const reader::Timeline& timeline, const Names& names) {
    scheduler_ = &scheduler;
    timeline_ = &timeline;
    names_ = &names;
  }
  // Whether the filters of threads keep it, by what is known now.
  bool keeps(const ThreadClock& thread) const { return filter_.keeps(thread, *timeline_, *names_, scheduler_->now()); }
  // Leaves out what it does not keep. nullptr: nothing.
  void select(Selection* selection) { selection_ = selection; }
  // Leaves intervals out that are idle. nullptr: none.
  void leave_out(IdleWaits* idle) { idle_ = idle; }
  // Hands on to it what its class overrides. Most consumers want one thing, of millions that happen.
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
    ++counts_.seen;
    if (interval.is_whole()) ++counts_.whole;
    if (filters_ && !passes(interval)) return;
    if (selection_ != nullptr && !selection_->keeps(interval)) return;
    if (idle_ != nullptr && idle_->is_idle(interval)) return left_out_.add(interval);
    ++counts_.kept;
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
    const std::uint32_t name = sum.stack != no_stack ? names_->name_of_stack(sum.stack) : 0;
    const ThreadClock thread{.tid = sum.tid, .pid = sum.pid, .name = name};
    if (!filter_.keeps(thread, *timeline_, *names_, ~std::uint64_t{0})) return;
    if (selection_ != nullptr && !selection_->keeps(sum)) return;
    ++counts_.kept;
    for (FeedListener* listener : on_sum_) listener->sum(sum);
  }
  void moment(std::uint64_t time) override {
    for (FeedListener* listener : on_moment_) listener->moment(time);
  }

  const IntervalSums& left_out() const { return left_out_; }
  const IntervalCounts& counts() const { return counts_; }

 private:
  // The type of a pointer to a member names the class that declares it.
  template <typename Member, typename Inherited>
  static constexpr bool overrides(Member, Inherited) {
    return !std::same_as<Member, Inherited>;
  }

  bool passes(const Interval& interval) const {
    const ThreadClock& thread = scheduler_->threads()[interval.thread];
    return filter_.keeps(interval) && filter_.keeps(thread, *timeline_, *names_, interval.end);
  }

  const IntervalFilter& filter_;
  const bool filters_;
  const Scheduler* scheduler_ = nullptr;
  const reader::Timeline* timeline_ = nullptr;
  const Names* names_ = nullptr;
  Selection* selection_ = nullptr;
  IdleWaits* idle_ = nullptr;
  std::vector<SchedulerListener*> on_interval_, on_slice_, on_left_;
  std::vector<FeedListener*> on_sample_, on_sum_, on_moment_;
  IntervalSums left_out_;
  IntervalCounts counts_;
};

}  // namespace perfsift::offcpu
