// Who a thread is at a moment, remembered while it stays true.
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

// Not thread-safe. The timeline must live longer.
class ThreadStates {
 public:
  explicit ThreadStates(const reader::Timeline& timeline) : timeline_(timeline) {}

  // Valid until the next call.
  const NamedThread& at(std::int32_t pid, std::int32_t tid, reader::Moment moment);
  // For a timeline that still grows: what was known may have changed.
  void forget() { known_.clear(); }

 private:
  const reader::Timeline& timeline_;
  std::unordered_map<std::int32_t, NamedThread> known_;
};

}  // namespace perfsift::output
