// Groups the intervals of a thread with the same stack and kind of state. The sums by thread, stack and kind of wait
// are computed from these groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/offcpu/interval.h"
#include "analysis/offcpu/interval_sums.h"
#include "base/hash.h"
#include "base/recent_map.h"

namespace perfsift::offcpu {

struct IntervalGroup {
  IntervalSums sums;
  Interval first;  // all intervals of the group have its thread, stack, origin and kind of state
};

// Not thread-safe.
class IntervalGroups {
 public:
  void add(const Interval& interval) {
    const auto [group, is_new] = groups_.try_emplace(key_of(interval));
    if (is_new) add_group(group, interval);
    group.sums.add(interval);
  }

  // All groups in the order of their first intervals.
  std::span<const IntervalGroup* const> all() const { return in_order_; }

 private:
  struct Key {
    ThreadNumber thread = no_thread;
    StackId stack = no_stack;
    std::uint32_t state = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      const std::uint64_t hash = spread(std::uint64_t{key.thread} << 32 | key.stack) + key.state;
      return (hash ^ hash >> 32) * 0xff51afd7ed558ccd >> 24;
    }
  };

  // All states in which a thread waits are one: the stack says more about the wait.
  static Key key_of(const Interval& interval) {
    constexpr std::uint32_t apart = TaskState::preempted | TaskState::created | TaskState::not_known;
    constexpr std::uint32_t waits = 1;
    const std::uint32_t bits = interval.state.bits();
    return {.thread = interval.thread,
            .stack = interval.stack,
            .state = bits == TaskState::running ? 0
                     : (bits & apart) != 0      ? bits & apart
                                                : waits};
  }

  [[gnu::noinline]] void add_group(IntervalGroup& group, const Interval& first) {
    group.first = first;
    in_order_.push_back(&group);
  }

  RecentMap<Key, IntervalGroup, KeyHash> groups_;
  std::vector<const IntervalGroup*> in_order_;
};

}  // namespace perfsift::offcpu
