#include "analysis/memory/sharing.h"

#include <algorithm>
#include <map>
#include <utility>

namespace perfsift::analysis {
namespace {

// Distinct pairs of thread and offset, for questions about other threads.
class Users {
 public:
  void add(std::int32_t tid, std::size_t offset) {
    ++all_;
    ++by_thread_[tid];
    ++by_offset_[offset];
    pairs_.insert({tid, offset});
  }
  // Whether another thread is among them, at that offset.
  bool others_at(std::int32_t tid, std::size_t offset) const {
    return at(by_offset_, offset) > (pairs_.contains({tid, offset}) ? 1u : 0u);
  }
  // Whether another thread is among them, at another offset.
  bool others_elsewhere(std::int32_t tid, std::size_t offset) const {
    const std::size_t here = pairs_.contains({tid, offset}) ? 1 : 0;
    return all_ + here > at(by_thread_, tid) + at(by_offset_, offset);
  }

 private:
  template <typename Counts, typename Key>
  static std::size_t at(const Counts& counts, const Key& key) {
    const auto found = counts.find(key);
    return found != counts.end() ? found->second : 0;
  }

  std::size_t all_ = 0;
  std::map<std::int32_t, std::size_t> by_thread_;
  std::map<std::size_t, std::size_t> by_offset_;
  std::set<std::pair<std::int32_t, std::size_t>> pairs_;
};

// Counts which accesses are disturbed, and how.
void count_disturbed(CacheLine& line) {
  const bool conflicts = line.accesses.conflicts() != 0;
  const auto stores = [&](const LineAccesses& of) { return line.stores_not_sampled || of.may_store(); };
  Users all, storing;
  for (std::size_t i = 0; i < line.offsets.size(); ++i) {
    for (const LineThread& thread : line.offsets[i].threads) {
      all.add(thread.tid, i);
      if (stores(thread.accesses)) storing.add(thread.tid, i);
    }
  }
  for (std::size_t i = 0; i < line.offsets.size(); ++i) {
    for (const LineThread& thread : line.offsets[i].threads) {
      const std::uint64_t amount = conflicts ? thread.accesses.conflicts() : thread.accesses.all();
      const Users& disturbing = stores(thread.accesses) ? all : storing;
      const bool same_data = disturbing.others_at(thread.tid, i);
      if (!same_data && !disturbing.others_elsewhere(thread.tid, i)) continue;
      line.disturbed += amount;
      if (!same_data) line.falsely_shared += amount;
    }
  }
}

// Offsets with the same threads, in the order of their first offsets.
std::vector<std::vector<std::size_t>> groups_of(const CacheLine& line) {
  std::map<std::set<std::int32_t>, std::size_t> known;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < line.offsets.size(); ++i) {
    std::set<std::int32_t> users;
    for (const LineThread& thread : line.offsets[i].threads) users.insert(thread.tid);
    const auto [group, is_new] = known.try_emplace(std::move(users), groups.size());
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
