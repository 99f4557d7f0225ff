#include "record/ring_set.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"

namespace perfsift::record {

namespace {

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

RingSet::RingSet(std::vector<OpenCounter>& counters, const std::vector<SessionEvent>& events, std::size_t bytes,
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
  }
  std::size_t granted = bytes;
  while (!map_all(counters, granted)) granted /= 2;
  if (granted == bytes) return;
  left_out.push_back(
      fmt::format("rings of {} KiB instead of {} KiB: kernel.perf_event_mlock_kb and ulimit -l allow no more",
                  granted / 1024, bytes / 1024));
}

// False: the system does not grant this size, but might grant a smaller one.
bool RingSet::map_all(std::vector<OpenCounter>& counters, std::size_t bytes) {
  readers_.clear();
  for (std::size_t ring = 0; ring < owners_.size(); ++ring) {
    auto mapped = Ring::map(counters[owners_[ring]].counter, bytes / page_size(), kinds_[ring]);
    if (!mapped && (errno == EPERM || errno == ENOMEM) && bytes > page_size()) return false;
    if (!mapped) {
      throw Error(fmt::format("{} rings of {} KiB cannot be mapped: {}", owners_.size(), bytes / 1024,
                              errno == EPERM ? "raise ulimit -l or kernel.perf_event_mlock_kb" : std::strerror(errno)));
    }
    readers_.emplace_back(std::move(*mapped));
  }
  for (std::size_t index = 0; index < counters.size(); ++index) {
    const std::size_t owner = owners_[rings_[index]];
    if (owner == index || counters[index].counter.share_ring_of(counters[owner].counter)) continue;
    throw Error(fmt::format("a counter cannot write into the ring of CPU {}: {}", counters[index].place.cpu,
                            std::strerror(errno)));
  }
  return true;
}

void RingSet::drain(RecordSink& sink) {
  for (std::size_t ring = 0; ring < readers_.size(); ++ring) {
    if (!is_overwritten(ring)) readers_[ring].look();
  }
  for (std::size_t ring = 0; ring < readers_.size(); ++ring) {
    if (!is_overwritten(ring)) readers_[ring].pass_on(ring, sink);
  }
  sink.round();
}

void RingSet::snapshot(RecordSink& sink) {
  for (std::size_t ring = 0; ring < readers_.size(); ++ring) {
    if (is_overwritten(ring)) readers_[ring].snapshot(ring, sink);
  }
  sink.round();
}

std::vector<RingCounts> RingSet::counts(const std::vector<OpenCounter>& counters) const {
  std::vector<RingCounts> counts;
  for (const RingReader& reader : readers_) counts.push_back(reader.counts());
  for (std::size_t index = 0; index < counters.size(); ++index) {
    if (const auto count = counters[index].counter.read()) counts[rings_[index]].counted += count->lost;
  }
  return counts;
}

}  // namespace perfsift::record
