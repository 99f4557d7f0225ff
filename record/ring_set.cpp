#include "record/ring_set.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "record/events/why_not_opened.h"

namespace perfsift::record {

namespace {

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

RingSet::Sizes half(RingSet::Sizes sizes) {
  return {.ordinary = std::max(sizes.ordinary / 2, page_size()),
          .overwritten = std::max(sizes.overwritten / 2, page_size())};
}

// By errno.
std::string why_not_mapped(const OpenCounter& owner, const SessionEvent& event, std::size_t bytes) {
  const int error = errno;
  EventRequest request;
  request.attr = event.attr;
  request.name = event.name;
  return why_not_mapped(request, {.tid = owner.place.tid, .cpu = owner.place.cpu}, error, bytes,
                        SystemSettings::read());
}

}  // namespace

RingSet::RingSet(std::vector<OpenCounter>& counters, const std::vector<SessionEvent>& events, Sizes sizes,
                 std::vector<std::string>& left_out) {
  std::map<std::tuple<std::int32_t, std::int32_t, bool>, std::size_t> numbers;  // CPU, thread without CPU, overwritten
  for (std::size_t index = 0; index < counters.size(); ++index) {
    const auto& [counter, event, place] = counters[index];
    const bool overwritten = events[event].attr.write_backward();
    const auto [found, is_new] =
        numbers.try_emplace({place.cpu, place.cpu < 0 ? place.tid : -1, overwritten}, owners_.size());
    rings_.push_back(found->second);
    if (!is_new) continue;
    owners_.push_back(index);
    kinds_.push_back(overwritten ? Ring::Kind::overwritten : Ring::Kind::ordinary);
    (overwritten ? overwritten_ : ordinary_).push_back(found->second);
  }
  counts_.resize(owners_.size());
  Sizes granted = sizes;
  while (!map_all(counters, events, granted)) granted = half(granted);
  if (granted == sizes) return;
  const auto size_in = [&](Sizes some) { return (overwritten_.empty() ? some.ordinary : some.overwritten) / 1024; };
  left_out.push_back(
      fmt::format("rings of {} KiB instead of {} KiB: kernel.perf_event_mlock_kb and ulimit -l allow no more",
                  size_in(granted), size_in(sizes)));
}

// False: the system does not grant these sizes, but might grant smaller ones.
bool RingSet::map_all(std::vector<OpenCounter>& counters, const std::vector<SessionEvent>& events, Sizes sizes) {
  readers_.clear();
  for (std::size_t ring = 0; ring < owners_.size(); ++ring) {
    const std::size_t bytes = kinds_[ring] == Ring::Kind::overwritten ? sizes.overwritten : sizes.ordinary;
    const OpenCounter& owner = counters[owners_[ring]];
    auto mapped = Ring::map(owner.counter, bytes / page_size(), kinds_[ring]);
    if (!mapped && (errno == EPERM || errno == ENOMEM) && bytes > page_size()) return false;
    if (!mapped) throw Error(why_not_mapped(owner, events[owner.event], bytes));
    readers_.emplace_back(std::move(*mapped));
  }
  share_rings(counters, false);
  return true;
}

void RingSet::share_rings(std::vector<OpenCounter>& counters, bool only_overwritten) {
  for (std::size_t index = 0; index < counters.size(); ++index) {
    const std::size_t owner = owners_[rings_[index]];
    if (owner == index || (only_overwritten && !is_overwritten(rings_[index]))) continue;
    if (counters[index].counter.share_ring_of(counters[owner].counter)) continue;
    throw Error(fmt::format("a counter cannot write into the ring of CPU {}: {}", counters[index].place.cpu,
                            std::strerror(errno)));
  }
}

// The kernel detaches all counters from a ring whose last mapping goes (perf_mmap_close() in kernel/events/core.c), so
// the ring can be mapped again in another size. Records meanwhile are dropped.
bool RingSet::map_overwritten(std::vector<OpenCounter>& counters, std::size_t bytes) {
  for (const std::size_t ring : overwritten_) {
    readers_[ring].drop_ring();
    auto mapped = Ring::map(counters[owners_[ring]].counter, bytes / page_size(), kinds_[ring]);
    if (!mapped) return false;
    readers_[ring].take_ring(std::move(*mapped));
  }
  publish(overwritten_);
  share_rings(counters, true);
  return true;
}

bool RingSet::resize_overwritten(std::vector<OpenCounter>& counters, std::size_t bytes) {
  const std::vector<RingFill> before = fills();
  if (before.empty() || map_overwritten(counters, bytes)) return true;
  if (!map_overwritten(counters, before.front().capacity))
    throw Error(fmt::format("a ring cannot be mapped again: {}", std::strerror(errno)));
  return false;
}

std::vector<RingFill> RingSet::fills() const {
  std::vector<RingFill> fills;
  for (const std::size_t ring : overwritten_) {
    const Ring& some = readers_[ring].ring();
    fills.push_back({.ring = ring, .capacity = some.capacity(), .written = some.written()});
  }
  return fills;
}

void RingSet::drain(std::span<const std::size_t> rings, RecordSink& sink) {
  for (const std::size_t ring : rings) readers_[ring].look();
  for (const std::size_t ring : rings) readers_[ring].pass_on(ring, sink);
  publish(rings);
  sink.round();
}

void RingSet::snapshot(RecordSink& sink) {
  for (const std::size_t ring : overwritten_) readers_[ring].snapshot(ring, sink);
  publish(overwritten_);
  sink.round();
}

void RingSet::publish(std::span<const std::size_t> rings) {
  const std::lock_guard lock(mutex_);
  for (const std::size_t ring : rings) counts_[ring] = readers_[ring].counts();
}

std::vector<RingCounts> RingSet::counts(const std::vector<OpenCounter>& counters) const {
  std::unique_lock lock(mutex_);
  std::vector<RingCounts> counts = counts_;
  lock.unlock();
  for (std::size_t index = 0; index < counters.size(); ++index) {
    if (const auto count = counters[index].counter.read()) counts[rings_[index]].counted += count->lost;
  }
  return counts;
}

}  // namespace perfsift::record
