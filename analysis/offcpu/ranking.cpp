#include "analysis/offcpu/ranking.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace perfsift::offcpu {
namespace {

struct Name {
  std::string_view name;
  RankedBy key;
  std::string_view title;
};

constexpr Name sort_names[] = {
    {"involuntary", RankedBy::involuntary,
     "by time they did not choose to wait (in run queues, for locks, disks and page faults); the kernel's own last"},
    {"off-cpu", RankedBy::off_cpu, "by time off the CPU"},
    {"blocked", RankedBy::blocked, "by blocked time"},
    {"run-queue", RankedBy::run_queue, "by time in run queues"},
    {"longest", RankedBy::longest, "by the longest interval"},
    {"intervals", RankedBy::intervals, "by the number of intervals"},
    {"p99.9", RankedBy::p99_9, "by P99.9 of time off the CPU"},
};

std::uint64_t value_of(const IntervalSums& sums, RankedBy key) {
  switch (key) {
    case RankedBy::involuntary:
      return sums.involuntary;
    case RankedBy::off_cpu:
      return sums.total();
    case RankedBy::blocked:
      return sums.blocked;
    case RankedBy::run_queue:
      return sums.run_queue;
    case RankedBy::longest:
    case RankedBy::p99_9:
      return sums.longest;
    case RankedBy::intervals:
      return sums.count;
  }
  return 0;
}

// The last key is the total time, so that threads without involuntary waits are ordered too.
struct Rank {
  bool last = false;
  std::uint64_t value = 0;
  std::uint64_t total = 0;
  std::uint32_t index = 0;

  bool operator<(const Rank& other) const {
    if (last != other.last) return other.last;
    if (value != other.value) return value > other.value;
    return total != other.total ? total > other.total : index < other.index;
  }
};

std::vector<std::uint32_t> first_of(std::vector<Rank> ranks, std::size_t count) {
  const auto middle = ranks.begin() + static_cast<std::ptrdiff_t>(std::min(count, ranks.size()));
  std::partial_sort(ranks.begin(), middle, ranks.end());
  std::vector<std::uint32_t> order;
  for (auto rank = ranks.begin(); rank != middle; ++rank) order.push_back(rank->index);
  return order;
}

template <typename RankOf>
std::vector<std::uint32_t> ranked(const std::vector<IntervalSums>& sums, std::size_t count, RankOf&& rank_of) {
  std::vector<Rank> ranks;
  for (std::uint32_t i = 0; i < sums.size(); ++i) {
    if (sums[i].count == 0) continue;
    Rank rank = rank_of(i);
    rank.total = sums[i].total();
    rank.index = i;
    ranks.push_back(rank);
  }
  return first_of(std::move(ranks), count);
}

bool is_set(const std::vector<bool>& flags, std::size_t i) { return i < flags.size() && flags[i]; }

}  // namespace

RankedBy ranked_by(const std::string& name) {
  const auto* const found = std::ranges::find(sort_names, name, &Name::name);
  if (found != std::end(sort_names)) return found->key;
  throw UsageError("--sort " + name +
                   ": there are involuntary, off-cpu, blocked, run-queue, longest, intervals and p99.9");
}

std::vector<std::string_view> ranking_names() {
  std::vector<std::string_view> names;
  for (const Name& name : sort_names) names.push_back(name.name);
  return names;
}

std::string_view title_of(RankedBy key) { return std::ranges::find(sort_names, key, &Name::key)->title; }

std::vector<ThreadNumber> top_threads(const Analysis& analysis, const std::vector<bool>& of_kernel, RankedBy key,
                                      std::size_t count) {
  return ranked(analysis.by_thread(), count, [&](ThreadNumber thread) {
    Rank rank{.value = value_of(analysis.by_thread()[thread], key)};
    if (key == RankedBy::involuntary) rank.last = is_set(of_kernel, thread);
    if (key == RankedBy::p99_9) {
      const Distribution* const off_cpu = analysis.off_cpu_of(thread);
      const auto percentile = off_cpu != nullptr ? off_cpu->known_percentile(99.9) : std::nullopt;
      rank.last = !percentile;
      rank.value = percentile.value_or(rank.value);
    }
    return rank;
  });
}

std::vector<StackId> top_stacks(const Analysis& analysis, const std::vector<bool>& of_kernel, RankedBy key,
                                std::size_t count) {
  std::vector<IntervalSums> sums = analysis.by_stack();
  if (!sums.empty()) sums[no_stack] = {};
  std::vector<bool> stack_of_kernel(sums.size());
  for (const IntervalGroup* const group : analysis.groups()) {
    if (group->first.thread != no_thread) stack_of_kernel[group->first.stack] = is_set(of_kernel, group->first.thread);
  }
  return ranked(sums, count, [&](StackId stack) {
    return Rank{.last = key == RankedBy::involuntary && stack_of_kernel[stack], .value = value_of(sums[stack], key)};
  });
}

std::vector<std::uint32_t> top(const std::vector<IntervalSums>& sums, std::size_t count) {
  return ranked(sums, count, [&](std::uint32_t i) { return Rank{.value = sums[i].total()}; });
}

}  // namespace perfsift::offcpu
