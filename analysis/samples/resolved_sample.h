// A sample with what everybody wants to know of it: whose it is, and its stack.
#pragma once

#include <optional>

#include "analysis/samples/call_stack.h"
#include "analysis/samples/thread_cache.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// Each answer is found when it is asked for first, and serves everybody who asks for it later: a filter and what comes
// behind it unwind a stack once. One sample after the other; not thread-safe: one per thread. The recording and what
// the options name must live longer.
class ResolvedSample {
 public:
  ResolvedSample(const reader::Recording& recording, const UnwindOptions& unwind)
      : threads_(recording), call_stack_(recording, unwind) {}

  // All answers are about this sample from now on; it must stay until the next one.
  void set(const reader::Sample& sample) {
    sample_ = &sample;
    thread_ = nullptr;
    stack_.reset();
  }

  const reader::Sample& sample() const { return *sample_; }
  // The thread at the moment of the sample.
  const reader::ThreadState& thread() {
    if (thread_ == nullptr) thread_ = &threads_.find(sample_->pid, sample_->tid, sample_->moment);
    return *thread_;
  }
  const CallStack::Stack& stack() {
    if (!stack_) stack_ = call_stack_.of(*sample_, thread().maps);
    return *stack_;
  }

 private:
  ThreadCache threads_;
  CallStack call_stack_;
  const reader::Sample* sample_ = nullptr;
  const reader::ThreadState* thread_ = nullptr;  // nullptr: not asked for yet
  std::optional<CallStack::Stack> stack_;        // nothing: not asked for yet
};

}  // namespace perfsift::analysis
