#include "tools/offcpu/wait_chains.h"

#include <algorithm>
#include <functional>

namespace perfsift::offcpu {

std::uint32_t WaitChains::link(std::uint32_t name, ThreadNumber thread, std::uint32_t next) {
  const auto [known, is_new] =
      known_.try_emplace(std::uint64_t{name} << 32 | next, static_cast<std::uint32_t>(links_.size()));
  if (is_new) links_.push_back({.thread = thread, .next = next, .length = links_[next].length + 1});
  return known->second;
}

void WaitChains::add(const Interval& interval, std::span<const ThreadClock> threads) {
  const ThreadNumber waker = interval.waker.thread;
  if (waker == no_thread || waker == interval.thread || interval.blocked == 0) return;
  if (latest_.size() < threads.size()) latest_.resize(threads.size());
  const Latest& before = latest_[waker];
  const bool waited_meanwhile = before.link != 0 && before.end > interval.start && links_[before.link].length < longest;
  const std::uint32_t rest = waited_meanwhile ? before.link : link(threads[waker].name, waker, 0);
  const std::uint32_t whole = link(threads[interval.thread].name, interval.thread, rest);
  ++links_[whole].waits;
  links_[whole].blocked += interval.blocked;
  latest_[interval.thread] = {.end = interval.end, .link = whole};
}

std::vector<WaitChains::Chain> WaitChains::top(std::size_t count) const {
  std::vector<const Link*> all;
  for (const Link& link : links_) {
    if (link.length >= 3 && link.waits != 0) all.push_back(&link);
  }
  std::ranges::stable_sort(all, std::greater{}, &Link::blocked);
  if (all.size() > count) all.resize(count);
  std::vector<Chain> chains;
  for (const Link* first : all) {
    Chain& chain = chains.emplace_back(Chain{.waits = first->waits, .blocked = first->blocked});
    for (const Link* link = first; link != &links_[0]; link = &links_[link->next])
      chain.threads.push_back(link->thread);
  }
  return chains;
}

}  // namespace perfsift::offcpu
