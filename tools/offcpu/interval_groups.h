// The intervals of a thread that began in one way, on one stack: what threads, stacks and ways of waiting are added up
// of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "tools/offcpu/interval.h"
#include "tools/offcpu/interval_sums.h"

namespace perfsift::offcpu {

struct IntervalGroup {
  Interval first;  // whose thread, stack, origin and kind of state are those of all
  IntervalSums sums;
};

// Not thread-safe.
class IntervalGroups {
 public:
  void add(const Interval& interval) {
    const Key key = key_of(interval);
    Recent& recent = recent_[key.hash() % recent_.size()];
    if (recent.group == none || !(recent.key == key)) recent = {.key = key, .group = find(key, interval)};
    groups_[recent.group].sums.add(interval);
  }

  std::span<const IntervalGroup> all() const { return groups_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Key {
    ThreadNumber thread = no_thread;
    StackId stack = no_stack;
    std::uint32_t state = 0;
    bool operator==(const Key&) const = default;
    std::uint64_t hash() const {
      const std::uint64_t hash = (std::uint64_t{thread} << 32 | stack) * 0x9e3779b97f4a7c15 + state;
      return (hash ^ hash >> 32) * 0xff51afd7ed558ccd >> 24;
    }
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return key.hash(); }
  };
  struct Recent {
    Key key;
    std::uint32_t group = none;
  };

  // Of the states in which a thread waits the stack says more.
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
  std::uint32_t find(const Key& key, const Interval& interval);

  std::vector<IntervalGroup> groups_;
  std::unordered_map<Key, std::uint32_t, KeyHash> known_;
  std::array<Recent, 4096> recent_{};
};

}  // namespace perfsift::offcpu
