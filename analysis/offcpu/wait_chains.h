// Who waited for whom, who waited for somebody else: a thread was woken by one that had itself been waiting meanwhile.
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
  // Threads by name, so that those of a pool count together: the one that waited first, each followed by the one that
  // woke it.
  struct Chain {
    std::vector<ThreadNumber> threads;  // one of each name
    std::uint64_t waits = 0;
    std::uint64_t blocked = 0;  // the first one's, in nanoseconds
  };

  // An interval of a thread that was woken by a thread.
  void add(const Interval& interval, std::span<const ThreadClock> threads);
  // Those of at least three threads, the longest time first.
  std::vector<Chain> top(std::size_t count) const;

 private:
  static constexpr std::uint32_t longest = 6;

  struct Link {
    ThreadNumber thread = no_thread;
    std::uint32_t name = 0;
    std::uint32_t next = 0;  // into links_; 0 is the end
    std::uint32_t length = 0;
    std::uint64_t waits = 0;
    std::uint64_t blocked = 0;
  };
  // What a thread waited for last.
  struct Latest {
    std::uint64_t end = 0;
    std::uint32_t link = 0;
    std::uint32_t as_waker = 0;  // of it alone, when it last woke somebody
  };

  // The link of a thread of this name that waits for `next`. `guess`: what it is likely to be, 0 for no idea.
  std::uint32_t link(std::uint32_t name, ThreadNumber thread, std::uint32_t next, std::uint32_t guess);

  std::vector<Link> links_{1};
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // name and next
  std::vector<Latest> latest_;                              // by ThreadNumber
};

}  // namespace perfsift::offcpu
