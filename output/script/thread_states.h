// The state and the name of a thread at a moment, kept while they stay valid.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "reader/timeline/timeline.h"

namespace perfsift::output {

struct NamedThread {
  reader::ThreadState state;
  std::string comm;  // as perf prints it, without control characters
};

// Not thread-safe. The timeline must outlive the object.
class ThreadStates {
 public:
  explicit ThreadStates(const reader::Timeline& timeline) : timeline_(timeline) {}

  // Valid until the next call.
  const NamedThread& at(std::int32_t pid, std::int32_t tid, reader::Moment moment);
  // Must be called when the timeline has grown: states may have changed.
  void forget() { known_.clear(); }

 private:
  const reader::Timeline& timeline_;
  std::unordered_map<std::int32_t, NamedThread> known_;
};

}  // namespace perfsift::output
