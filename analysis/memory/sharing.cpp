#include "analysis/memory/sharing.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace perfsift::analysis {
namespace {

// Numbers of accesses of threads to offsets of a line.
class Amounts {
 public:
  void add(std::int32_t tid, std::size_t offset, std::uint64_t amount) {
    all_ += amount;
    by_thread_[tid] += amount;
    by_offset_[offset] += amount;
    by_pair_[{tid, offset}] += amount;
  }
  std::uint64_t of(std::int32_t tid) const { return at(by_thread_, tid); }
  std::uint64_t of_others(std::int32_t tid) const { return all_ - of(tid); }
  std::uint64_t of_others(std::int32_t tid, std::size_t offset) const {
    return at(by_offset_, offset) - at(by_pair_, std::pair(tid, offset));
  }

 private:
  template <typename Numbers, typename Key>
  static std::uint64_t at(const Numbers& numbers, const Key& key) {
    const auto found = numbers.find(key);
    return found != numbers.end() ? found->second : 0;
  }

  std::uint64_t all_ = 0;
  std::map<std::int32_t, std::uint64_t> by_thread_;
  std::map<std::size_t, std::uint64_t> by_offset_;
  std::map<std::pair<std::int32_t, std::size_t>, std::uint64_t> by_pair_;
};

// Whether a number is large enough to matter beside another. An initialisation or a final sum is not.
bool counts_beside(double number, double other) {
  constexpr double part = 10;
  return number > 0 && number * part >= other;
}

// Whether other threads use an offset often enough that they share its data with the thread. Shares of the line's
// accesses are compared, because loads and stores have different sampling periods.
bool shares_data(double own, double all_own, double of_others, double all_of_others) {
  return counts_beside(of_others * all_own, own * all_of_others);
}

// Counts the disturbed accesses by kind.
void count_disturbed(CacheLine& line) {
  const bool conflicts = line.accesses.conflicts() != 0;
  const auto stores = [&](const LineAccesses& of) {
    return line.stores_not_sampled ? of.all() : of.stores + of.others;
  };
  Amounts all, storing;
  for (std::size_t i = 0; i < line.offsets.size(); ++i) {
    for (const LineThread& thread : line.offsets[i].threads) {
      all.add(thread.tid, i, thread.accesses.all());
      storing.add(thread.tid, i, stores(thread.accesses));
    }
  }
  for (std::size_t i = 0; i < line.offsets.size(); ++i) {
    for (const auto& [tid, name, accesses] : line.offsets[i].threads) {
      const Amounts& disturbing = stores(accesses) != 0 ? all : storing;
      if (disturbing.of_others(tid) == 0) continue;
      const std::uint64_t amount = conflicts ? accesses.conflicts() : accesses.all();
      line.disturbed += amount;
      const bool same_data = shares_data(static_cast<double>(accesses.all()), static_cast<double>(all.of(tid)),
                                         static_cast<double>(disturbing.of_others(tid, i)),
                                         static_cast<double>(disturbing.of_others(tid)));
      if (!same_data) line.falsely_shared += amount;
    }
  }
}

// The threads that use an offset, without threads that hardly use it.
std::set<std::int32_t> users_of(const LineOffset& offset) {
  std::uint64_t most = 0;
  for (const LineThread& thread : offset.threads) most = std::max(most, thread.accesses.all());
  std::set<std::int32_t> users;
  for (const LineThread& thread : offset.threads) {
    if (counts_beside(static_cast<double>(thread.accesses.all()), static_cast<double>(most))) users.insert(thread.tid);
  }
  return users;
}

// Groups of offsets with the same threads, in the order of their first offsets.
std::vector<std::vector<std::size_t>> groups_of(const CacheLine& line) {
  std::map<std::set<std::int32_t>, std::size_t> known;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < line.offsets.size(); ++i) {
    const auto [group, is_new] = known.try_emplace(users_of(line.offsets[i]), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(i);
  }
  return groups;
}

}  // namespace

void judge_sharing(CacheLine& line) {
  constexpr double mostly = 75, partly = 25, percent = 100;
  if (line.threads < 2) return;
  line.stores_not_sampled = line.accesses.conflicts() != 0 && !line.accesses.may_store();
  line.stores_not_known = line.accesses.conflicts() == 0 && line.accesses.stores == 0 && line.accesses.others != 0;
  if (line.accesses.may_store() || line.stores_not_sampled) count_disturbed(line);
  if (line.disturbed == 0) {
    line.sharing = line.accesses.may_store() ? Sharing::true_sharing : Sharing::read_only;
    return;
  }
  line.false_share = percent * static_cast<double>(line.falsely_shared) / static_cast<double>(line.disturbed);
  line.sharing = line.false_share >= mostly   ? Sharing::false_sharing
                 : line.false_share >= partly ? Sharing::mixed
                                              : Sharing::true_sharing;
  if (line.sharing != Sharing::true_sharing) line.groups = groups_of(line);
}

}  // namespace perfsift::analysis
