// Intervals as facts for a filter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/scheduler.h"
#include "analysis/offcpu/stack_table.h"
#include "analysis/offcpu/wait_kinds.h"
#include "analysis/samples/code_facts.h"
#include "analysis/samples/comm_texts.h"
#include "filter/sample_facts.h"

namespace perfsift::offcpu {

// The facts of one interval at a time, with the stack at the switch off the CPU. Names are the same as for samples;
// inlined calls are ignored. Not thread-safe. All constructor arguments must live longer.
class IntervalFacts : public filter::SampleFacts, public StackSymbols {
 public:
  IntervalFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const Scheduler& scheduler,
                const StackTable& stacks);

  // Sets the interval or sum of all following queries, which must live until then. For a sum, only the thread and the
  // stack are known, and the length if the sum is a single interval.
  void set(const Interval& interval);
  void set(const OffCpuSum& sum);

  std::optional<filter::Number> number(filter::Fact fact) override;
  std::optional<std::string_view> text(filter::Fact fact) override;
  filter::TracepointValue tracepoint(std::size_t) override { return {}; }  // not a sample of a tracepoint
  std::size_t stack_depth() override { return frames(stack_).size(); }
  filter::Facts& frame(std::size_t index) override { return frame_of(stack_, index); }
  std::size_t waker_depth() override { return frames(waker_stack()).size(); }
  filter::Facts& waker_frame(std::size_t index) override { return frame_of(waker_stack(), index); }
  bool stack_truncated() override { return stack_ != no_stack && stacks_.owner(stack_).truncated; }

  void for_each_symbol(StackId stack, bool of_kernel, const EachSymbol& each) override;
  // The kinds of wait of intervals, found with these facts.
  WaitKinds& waits() { return waits_; }

  // Must be called when the stacks of an endless stream have been forgotten.
  void forget_stacks();

 private:
  class FrameFacts : public filter::Facts {
   public:
    explicit FrameFacts(analysis::CodeFacts& code_facts) : code_facts_(code_facts) {}
    void set(const analysis::RecordedCode& code) { code_ = code; }
    std::optional<filter::Number> number(filter::Fact fact) override { return code_facts_.number(code_, fact); }
    std::optional<std::string_view> text(filter::Fact fact) override { return code_facts_.text(code_, fact); }

   private:
    analysis::CodeFacts& code_facts_;
    analysis::RecordedCode code_;
  };

  void set(const Interval* interval, const OffCpuSum* sum, StackId stack);
  std::optional<filter::Number> number_of_sum(filter::Fact fact);
  std::optional<filter::Number> wait();
  std::optional<filter::Number> tid_of(ThreadNumber thread) const;
  std::optional<std::string_view> comm_of(ThreadNumber thread);
  StackId waker_stack() const { return interval_ != nullptr ? interval_->waker.stack : no_stack; }
  const std::vector<analysis::RecordedCode>& frames(StackId stack);
  filter::Facts& frame_of(StackId stack, std::size_t index);

  const reader::Timeline& timeline_;
  const Scheduler& scheduler_;
  const StackTable& stacks_;
  analysis::CommTexts comms_;
  analysis::CodeFacts code_facts_;
  FrameFacts frame_;
  WaitKinds waits_{*this};

  const Interval* interval_ = nullptr;  // exactly one of these two is set
  const OffCpuSum* sum_ = nullptr;
  StackId stack_ = no_stack;
  std::optional<StackId> framed_;  // the stack of owner_ and frames_
  reader::ThreadState owner_;
  std::vector<analysis::RecordedCode> frames_;
};

}  // namespace perfsift::offcpu
