#include "record/ring_set.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/page_size.h"
#include "record/events/why_not_opened.h"
#include "record/rings/control_page.h"

namespace perfsift::record {

namespace {

// The larger of rings and AUX areas becomes smaller.
RingSet::Sizes smaller(RingSet::Sizes sizes) {
  if (sizes.aux > least_aux_bytes() && sizes.aux > sizes.ordinary) {
    sizes.aux /= 2;
    return sizes;
  }
  sizes.ordinary = std::max(sizes.ordinary / 2, page_size());
  sizes.overwritten = std::max(sizes.overwritten / 2, page_size());
  return sizes;
}

// By errno.
bool might_grant_less() { return errno == EPERM || errno == ENOMEM; }

EventRequest request_for(const SessionEvent& event) {
  EventRequest request;
  request.attr = event.attr;
  request.name = event.name;
  return request;
}

CounterPlace place_for(const OpenCounter& owner) { return {.tid = owner.place.tid, .cpu = owner.place.cpu}; }

std::string why_no_ring(const OpenCounter& owner, const SessionEvent& event, std::size_t bytes) {
  const int error = errno;
  return why_not_mapped(request_for(event), place_for(owner), error, bytes, SystemSettings::read());
}

std::string why_no_area(const OpenCounter& owner, const SessionEvent& event, std::size_t bytes) {
  const int error = errno;
  return why_no_aux_area(request_for(event), place_for(owner), error, bytes, SystemSettings::read());
}

}  // namespace

RingSet::RingSet(std::vector<OpenCounter>& counters, const std::vector<SessionEvent>& events, Sizes sizes,
                 std::vector<std::string>& left_out) {
  std::map<std::tuple<std::int32_t, std::int32_t, bool>, std::size_t> numbers;  // CPU, thread without CPU, overwritten
  for (std::size_t index = 0; index < counters.size(); ++index) {
    const auto& [counter, event, place] = counters[index];
    const bool overwritten = events[event].attr.write_backward();
    const auto [found, is_new] =
        numbers.try_emplace({place.cpu, place.cpu < 0 ? place.tid : -1, overwritten}, mapped_.size());
    rings_.push_back(found->second);
    if (is_new) {
      (overwritten ? overwritten_ : ordinary_).push_back(mapped_.size());
      mapped_.push_back(
          {.owner = index, .place = place, .kind = overwritten ? Ring::Kind::overwritten : Ring::Kind::ordinary});
    }
    if (!events[event].traces) continue;
    // The kernel maps the area of the event that writes the trace: rb_alloc_aux() in kernel/events/ring_buffer.c.
    MappedRing& ring = mapped_[found->second];
    if (!ring.traced) ring.owner = index;
    ring.traced = true;
    tracing_.push_back(index);
  }
  counts_.resize(mapped_.size());
  Sizes granted = sizes;
  while (!map_all(counters, events, granted)) granted = smaller(granted);
  if (granted != sizes) left_out.push_back(smaller_text(sizes, granted));
}

std::string RingSet::smaller_text(Sizes wanted, Sizes granted) const {
  const auto size_in = [&](Sizes some) { return (overwritten_.empty() ? some.ordinary : some.overwritten) / 1024; };
  const std::string areas = granted.aux == wanted.aux ? ""
                                                      : fmt::format("AUX areas of {} KiB instead of {} KiB, ",
                                                                    granted.aux / 1024, wanted.aux / 1024);
  return fmt::format("{}rings of {} KiB instead of {} KiB: kernel.perf_event_mlock_kb and ulimit -l allow no more",
                     areas, size_in(granted), size_in(wanted));
}

// False: the system does not grant these sizes, but might grant smaller ones.
bool RingSet::map_all(std::vector<OpenCounter>& counters, const std::vector<SessionEvent>& events, Sizes sizes) {
  readers_.clear();
  for (const MappedRing& ring : mapped_) {
    const std::size_t bytes = ring.kind == Ring::Kind::overwritten ? sizes.overwritten : sizes.ordinary;
    const OpenCounter& owner = counters[ring.owner];
    auto mapped = Ring::map(owner.counter, bytes / page_size(), ring.kind);
    const bool may_shrink = bytes > page_size() || (sizes.aux > least_aux_bytes() && sizes.aux > bytes);
    if (!mapped && might_grant_less() && may_shrink) return false;
    if (!mapped) throw Error(why_no_ring(owner, events[owner.event], bytes));
    readers_.emplace_back(std::move(*mapped), reader::trailer_size(events[owner.event].attr));
    if (!ring.traced) continue;
    auto area = AuxArea::map(owner.counter, readers_.back().ring(), sizes.aux);
    if (!area && might_grant_less() && may_shrink) return false;
    if (!area) throw Error(why_no_area(owner, events[owner.event], sizes.aux));
    readers_.back().add_area(std::move(*area), ring.place.tid, ring.place.cpu);
  }
  share_rings(counters, false);
  return true;
}

void RingSet::share_rings(std::vector<OpenCounter>& counters, bool only_overwritten) {
  for (std::size_t index = 0; index < counters.size(); ++index) {
    const std::size_t owner = mapped_[rings_[index]].owner;
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
    auto mapped = Ring::map(counters[mapped_[ring].owner].counter, bytes / page_size(), Ring::Kind::overwritten);
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

void RingSet::continue_traces(std::vector<OpenCounter>& counters) {
  for (const std::size_t index : tracing_) {
    if (readers_[rings_[index]].emptied_area()) counters[index].counter.enable();
  }
}

std::vector<RingCopy> RingSet::copy_overwritten() const {
  std::vector<RingCopy> copies;
  for (const std::size_t ring : overwritten_) copies.push_back(readers_[ring].copy(ring));
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (RingCopy& copy : copies) readers_[copy.ring].settle(copy);
  return copies;
}

void RingSet::give(std::vector<RingCopy> copies, RecordSink& sink) {
  for (RingCopy& copy : copies) {
    readers_[copy.ring].give(copy, sink);
    copy = {};  // gives the memory back
  }
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
