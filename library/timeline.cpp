#include <utility>

#include <perfsift/timeline.h>

#include "library/access.h"
#include "library/recording_state.h"
#include "library/translated.h"

namespace perfsift::v0 {
namespace {

reader::Moment after(std::uint64_t time) { return {.time = time, .position = ~std::uint64_t{0}}; }

Mapping public_mapping(const reader::Mapping& mapping, const reader::Timeline& timeline) {
  Mapping result{.start = mapping.start,
                 .end = mapping.end,
                 .page_offset = mapping.to_offset(mapping.start),
                 .protection = mapping.protection,
                 .flags = mapping.flags};
  if (mapping.binary == CodeAddress::no_binary) return result;
  const Binary& binary = timeline.binaries()[mapping.binary];
  result.path = binary.path;
  result.build_id = binary.build_id.hex();
  return result;
}

// The address space of a process; of the kernel for pid -1.
reader::MapsVersion maps_of(const reader::Timeline& timeline, std::int32_t pid, std::uint64_t time) {
  const reader::ThreadState state = timeline.thread(pid, pid, after(time));
  return pid == -1 ? state.kernel_maps : state.maps;
}

}  // namespace

Timeline::Timeline(std::shared_ptr<const detail::RecordingState> recording) : recording_(std::move(recording)) {}
Timeline::Timeline(const Timeline&) = default;
Timeline& Timeline::operator=(const Timeline&) = default;
Timeline::~Timeline() = default;

std::vector<std::int32_t> Timeline::threads() const {
  return detail::translated([&] { return recording_->recording->timeline().thread_ids(); });
}

ThreadInfo Timeline::thread(std::int32_t tid, std::uint64_t time) const {
  return detail::translated([&] {
    const reader::Timeline& timeline = recording_->recording->timeline();
    const reader::ThreadState state = timeline.thread(-1, tid, after(time));
    return ThreadInfo{.tid = tid,
                      .pid = state.pid,
                      .parent = timeline.parent(state.pid, after(time)),
                      .comm = timeline.comm(tid, state)};
  });
}

std::vector<Mapping> Timeline::mappings(std::int32_t pid, std::uint64_t time) const {
  return detail::translated([&] {
    const reader::Timeline& timeline = recording_->recording->timeline();
    std::vector<Mapping> mappings;
    for (const reader::Mapping& mapping : timeline.mappings(maps_of(timeline, pid, time))) {
      mappings.push_back(public_mapping(mapping, timeline));
    }
    return mappings;
  });
}

std::optional<Mapping> Timeline::mapping(std::int32_t pid, std::uint64_t address, std::uint64_t time) const {
  return detail::translated([&]() -> std::optional<Mapping> {
    const reader::Timeline& timeline = recording_->recording->timeline();
    const reader::Mapping* found = timeline.find(maps_of(timeline, pid, time), address);
    if (found == nullptr) return std::nullopt;
    return public_mapping(*found, timeline);
  });
}

std::string_view Timeline::cgroup(std::uint64_t number) const {
  return recording_->recording->timeline().cgroup(number);
}

}  // namespace perfsift::v0
