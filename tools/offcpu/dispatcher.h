// Hands what the interval machine finds to everybody who wants it, after the filters.
#pragma once

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

class Dispatcher : public Consumer {
 public:
  explicit Dispatcher(const IntervalFilter& filter) : filter_(filter) {}

  // Before anything is handed on.
  void use(const Scheduler& scheduler, const reader::Timeline& timeline) {
    scheduler_ = &scheduler;
    timeline_ = &timeline;
  }
  // Leaves out what it does not keep. nullptr: nothing.
  void select(Selection* selection) { selection_ = selection; }
  // Leaves intervals out that are idle. nullptr: none.
  void leave_out(IdleWaits* idle) { idle_ = idle; }
  void add(SchedulerListener& listener) { scheduling_.push_back(&listener); }
  void add(FeedListener& listener) { feed_.push_back(&listener); }
  void add(Consumer& consumer) {
    scheduling_.push_back(&consumer);
    feed_.push_back(&consumer);
  }

  void interval(const Interval& interval) override {
    const ThreadClock& thread = scheduler_->threads()[interval.thread];
    if (!filter_.keeps(interval) || !filter_.keeps(thread, *timeline_, interval.end)) return;
    if (selection_ != nullptr && !selection_->keeps(interval)) return;
    if (idle_ != nullptr && idle_->is_idle(interval)) return left_out_.add(interval);
    for (SchedulerListener* listener : scheduling_) listener->interval(interval);
  }
  void slice(const Slice& slice) override {
    for (SchedulerListener* listener : scheduling_) listener->slice(slice);
  }
  void left(ThreadNumber thread, std::int32_t cpu, std::uint64_t time, const TimehistFigures& figures) override {
    for (SchedulerListener* listener : scheduling_) listener->left(thread, cpu, time, figures);
  }
  void sample(const OtherSample& sample) override {
    for (FeedListener* listener : feed_) listener->sample(sample);
  }
  void sum(const OffCpuSum& sum) override {
    const ThreadClock thread{.tid = sum.tid, .pid = sum.pid};
    if (!filter_.keeps(thread, *timeline_, ~std::uint64_t{0})) return;
    if (selection_ != nullptr && !selection_->keeps(sum)) return;
    for (FeedListener* listener : feed_) listener->sum(sum);
  }
  void moment(std::uint64_t time) override {
    for (FeedListener* listener : feed_) listener->moment(time);
  }

  const IntervalSums& left_out() const { return left_out_; }

 private:
  const IntervalFilter& filter_;
  const Scheduler* scheduler_ = nullptr;
  const reader::Timeline* timeline_ = nullptr;
  Selection* selection_ = nullptr;
  IdleWaits* idle_ = nullptr;
  std::vector<SchedulerListener*> scheduling_;
  std::vector<FeedListener*> feed_;
  IntervalSums left_out_;
};

}  // namespace perfsift::offcpu
