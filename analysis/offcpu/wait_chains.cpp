#include "analysis/offcpu/wait_chains.h"

#include <algorithm>
#include <functional>

namespace perfsift::offcpu {

std::uint32_t WaitChains::link(std::uint32_t name, ThreadNumber thread, std::uint32_t next, std::uint32_t guess) {
  if (guess != 0 && links_[guess].name == name && links_[guess].next == next) return guess;
  const auto [known, is_new] =
      known_.try_emplace(std::uint64_t{name} << 32 | next, static_cast<std::uint32_t>(links_.size()));
  if (is_new) links_.push_back({.thread = thread, .name = name, .next = next, .length = links_[next].length + 1});
  return known->second;
}

void WaitChains::add(const Interval& interval, std::span<const ThreadClock> threads) {
  const ThreadNumber waker = interval.waker.thread;
  if (waker == no_thread || waker == interval.thread || interval.blocked == 0) return;
  if (latest_.size() < threads.size()) latest_.resize(threads.size());
  Latest &before = latest_[waker], &latest = latest_[interval.thread];
  const bool waited_meanwhile = before.link != 0 && before.end > interval.start && links_[before.link].length < longest;
  if (!waited_meanwhile) before.as_waker = link(threads[waker].name, waker, 0, before.as_waker);
  const std::uint32_t rest = waited_meanwhile ? before.link : before.as_waker;
  // The thread is likely to wait for the same thread as before.
  latest.link = link(threads[interval.thread].name, interval.thread, rest, latest.link);
  latest.end = interval.end;
  ++links_[latest.link].waits;
  links_[latest.link].blocked += interval.blocked;
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
