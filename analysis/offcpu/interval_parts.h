// A sum of intervals as groups of equal intervals, so that listeners need to know only intervals and how often each
// happened:
//
//      1 x the longest     (n - 1) x the mean of the others, some of them 1 ns longer, so that sums are exact
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace perfsift::offcpu {

// What is known of a sum. Times are nanoseconds.
struct IntervalTotals {
  std::uint64_t count = 0;
  std::uint64_t blocked = 0, run_queue = 0, unknown = 0;
  std::uint64_t longest = 0;                                 // length of the longest interval
  std::uint64_t longest_run_queue = 0, longest_unknown = 0;  // its parts, the second one at least
};

// `count` equal intervals.
struct IntervalPart {
  std::uint64_t count = 0;
  std::uint64_t blocked = 0, run_queue = 0, unknown = 0;
};

// Calls take(part) for at most five parts whose sums are the totals.
template <typename Take>
void for_each_part(const IntervalTotals& totals, Take&& take) {
  // A total that is divided into `count` whole numbers: the first `larger` of them are `least` + 1.
  struct Share {
    std::uint64_t least = 0, larger = 0;
    Share(std::uint64_t total, std::uint64_t count) : least(total / count), larger(total % count) {}
    std::uint64_t of(std::uint64_t position) const { return least + (position < larger ? 1 : 0); }
  };
  if (totals.count == 0) return;
  const std::uint64_t others = totals.count - 1;
  IntervalPart longest{.count = 1};
  longest.run_queue = std::min({totals.longest_run_queue, totals.run_queue, totals.longest});
  longest.unknown = std::min({totals.longest_unknown, totals.unknown, totals.longest - longest.run_queue});
  longest.blocked = std::min(totals.longest - longest.run_queue - longest.unknown, totals.blocked);
  longest.unknown = std::min(totals.longest - longest.run_queue - longest.blocked, totals.unknown);
  if (others == 0)
    longest = {.count = 1, .blocked = totals.blocked, .run_queue = totals.run_queue, .unknown = totals.unknown};
  take(longest);
  if (others == 0) return;
  const Share blocked(totals.blocked - longest.blocked, others),
      run_queue(totals.run_queue - longest.run_queue, others), unknown(totals.unknown - longest.unknown, others);
  std::array<std::uint64_t, 5> ends{0, blocked.larger, run_queue.larger, unknown.larger, others};
  std::ranges::sort(ends);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i] == ends[i + 1]) continue;
    take(IntervalPart{.count = ends[i + 1] - ends[i],
                      .blocked = blocked.of(ends[i]),
                      .run_queue = run_queue.of(ends[i]),
                      .unknown = unknown.of(ends[i])});
  }
}

}  // namespace perfsift::offcpu
