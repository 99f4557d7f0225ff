// Intervals as a filter sees them.
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

// The facts of one interval after the other; its stack is the one that was left on. Names are those that samples have:
// inlined calls do not count. Not thread-safe. All it is made of must live longer.
class IntervalFacts : public filter::SampleFacts, public StackSymbols {
 public:
  IntervalFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const Scheduler& scheduler,
                const StackTable& stacks);

  // What is asked from now on is about this one, which must stay until then. Of a sum only the thread, the stack, and
  // of a single one its length are known.
  void set(const Interval& interval);
  void set(const OffCpuSum& sum);

  std::optional<filter::Number> number(filter::Fact fact) override;
  std::optional<std::string_view> text(filter::Fact fact) override;
  filter::TracepointValue tracepoint(std::size_t) override { return {}; }  // it is no sample of one
  std::size_t stack_depth() override { return frames(stack_).size(); }
  filter::Facts& frame(std::size_t index) override { return frame_of(stack_, index); }
  std::size_t waker_depth() override { return frames(waker_stack()).size(); }
  filter::Facts& waker_frame(std::size_t index) override { return frame_of(waker_stack(), index); }
  bool stack_truncated() override { return stack_ != no_stack && stacks_.owner(stack_).truncated; }

  void for_each_symbol(StackId stack, bool of_kernel, const EachSymbol& each) override;
  // How intervals waited, by these facts.
  WaitKinds& waits() { return waits_; }

  // For a recording without end, whose stacks have been forgotten.
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

  const Interval* interval_ = nullptr;  // or
  const OffCpuSum* sum_ = nullptr;
  StackId stack_ = no_stack;
  std::optional<StackId> framed_;  // the stack that the next two are of
  reader::ThreadState owner_;
  std::vector<analysis::RecordedCode> frames_;
};

}  // namespace perfsift::offcpu
