// The states of recently seen threads.
#pragma once

#include <array>
#include <cstdint>

#include "reader/recording.h"

namespace perfsift::analysis {

// Not thread-safe. Nothing can be cached for a stream, because its timeline still grows.
class ThreadCache {
 public:
  explicit ThreadCache(const reader::Recording& recording)
      : timeline_(recording.timeline()), growing_(recording.streamed()) {}

  // Valid until the next call.
  const reader::ThreadState& find(std::int32_t pid, std::int32_t tid, reader::Moment moment) {
    Entry& entry = entries_[static_cast<std::uint32_t>(tid) % entries_.size()];
    const bool hit = !growing_ && entry.valid && entry.tid == tid && entry.pid == pid && entry.state.from <= moment &&
                     moment < entry.state.until;
    if (!hit) entry = {.valid = true, .pid = pid, .tid = tid, .state = timeline_.thread(pid, tid, moment)};
    return entry.state;
  }

 private:
  struct Entry {
    bool valid = false;
    std::int32_t pid = 0;
    std::int32_t tid = 0;
    reader::ThreadState state;
  };
  const reader::Timeline& timeline_;
  const bool growing_;
  std::array<Entry, 256> entries_;
};

}  // namespace perfsift::analysis
