// Chains of waits: a thread was woken by a thread that had itself been waiting in the meantime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/offcpu/interval.h"
#include "analysis/offcpu/thread_clock.h"

namespace perfsift::offcpu {

class WaitChains {
 public:
  // Threads are grouped by name, so that the threads of a pool count together. Each thread is followed by the thread
  // that woke it.
  struct Chain {
    std::vector<ThreadNumber> threads;  // one thread for each name
    std::uint64_t waits = 0;
    std::uint64_t blocked = 0;  // of the first thread, in nanoseconds
  };

  // Adds the interval of a thread that was woken by a thread.
  void add(const Interval& interval, std::span<const ThreadClock> threads);
  // The chains of at least three threads, longest blocked time first.
  std::vector<Chain> top(std::size_t count) const;

 private:
  static constexpr std::uint32_t longest = 6;

  struct Link {
    ThreadNumber thread = no_thread;
    std::uint32_t name = 0;
    std::uint32_t next = 0;  // index into links_; 0: the end
    std::uint32_t length = 0;
    std::uint64_t waits = 0;
    std::uint64_t blocked = 0;
  };
  // The latest wait of a thread.
  struct Latest {
    std::uint64_t end = 0;
    std::uint32_t link = 0;
    std::uint32_t as_waker = 0;  // the link of the thread alone, from its last wakeup of another thread
  };

  // The link of a thread of this name that waits for `next`. `guess`: the likely result; 0: no guess.
  std::uint32_t link(std::uint32_t name, ThreadNumber thread, std::uint32_t next, std::uint32_t guess);

  std::vector<Link> links_{1};
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // by name and next
  std::vector<Latest> latest_;                              // by ThreadNumber
};

}  // namespace perfsift::offcpu
