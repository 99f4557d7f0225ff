// The control groups of threads. Stacks from different control groups are counted separately.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "reader/recording.h"

namespace perfsift::analysis {

// Whether any event recorded the control group of its samples (perf record --all-cgroups).
bool records_cgroups(const reader::Recording& recording);

// Numbers for the pairs of a thread's name and a control group's id. Thread-safe.
class ThreadCgroups {
 public:
  struct Pair {
    std::uint32_t comm = 0;  // reader::NameId
    std::uint64_t cgroup = 0;
    auto operator<=>(const Pair&) const = default;
  };

  std::uint32_t number(const Pair& pair);
  Pair pair(std::uint32_t number) const;

 private:
  mutable std::mutex mutex_;
  std::map<Pair, std::uint32_t> numbers_;
  std::vector<Pair> pairs_;
};

// A cache of these numbers for one thread, which looks up the same pairs again and again.
class ThreadCgroupCache {
 public:
  explicit ThreadCgroupCache(ThreadCgroups& all) : all_(all) {}

  std::uint32_t number(const ThreadCgroups::Pair& pair) {
    const auto [known, is_new] = known_.try_emplace(pair, 0);
    if (is_new) known->second = all_.number(pair);
    return known->second;
  }

 private:
  ThreadCgroups& all_;
  std::map<ThreadCgroups::Pair, std::uint32_t> known_;
};

}  // namespace perfsift::analysis
