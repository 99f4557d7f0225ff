// A sample with its thread and its stack, looked up once and shared.
#pragma once

#include "analysis/samples/call_stack.h"
#include "analysis/samples/thread_cache.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// Thread and stack are looked up on first use and then kept for the sample, so a filter and the code after the filter
// unwind a stack only once. Not thread-safe: one per thread. The recording and the objects in the options must live
// longer.
class ResolvedSample {
 public:
  ResolvedSample(const reader::Recording& recording, const UnwindOptions& unwind)
      : threads_(recording), call_stack_(recording, unwind) {}

  // Sets the current sample, which must live until the next call.
  void set(const reader::Sample& sample) {
    sample_ = &sample;
    thread_ = nullptr;
    stack_ = nullptr;
  }

  const reader::Sample& sample() const { return *sample_; }
  // The thread at the moment of the sample.
  const reader::ThreadState& thread() {
    if (thread_ == nullptr) thread_ = &threads_.find(sample_->pid, sample_->tid, sample_->moment);
    return *thread_;
  }
  const CallStack::Stack& stack() {
    if (stack_ == nullptr) stack_ = &call_stack_.of(*sample_, thread());
    return *stack_;
  }

 private:
  ThreadCache threads_;
  CallStack call_stack_;
  const reader::Sample* sample_ = nullptr;
  const reader::ThreadState* thread_ = nullptr;  // nullptr: not looked up yet
  const CallStack::Stack* stack_ = nullptr;      // nullptr: not looked up yet
};

}  // namespace perfsift::analysis
