// The events of a recording, and which of them a record belongs to.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "reader/event.h"
#include "reader/event_ids.h"
#include "reader/features.h"
#include "reader/sample.h"
#include "reader/tracepoint.h"

namespace perfsift::reader {

// Grows while a stream is read; otherwise complete before the first sample. Events keep their addresses. Const members
// are thread-safe.
class EventTable {
 public:
  Event& add(const EventAttr& attr, std::vector<std::uint64_t> ids);
  void add_id(Event& event, std::uint64_t id);
  // What EVENT_UPDATE, EVENT_DESC, GROUP_DESC and tracepoint formats know better than the attr alone.
  void name_events(const Features& features, const TracepointFormats* formats);

  const std::vector<std::unique_ptr<Event>>& events() const { return events_; }
  Event* find(std::uint64_t id) const { return by_id_.find(id); }

  // The event of a sample, nullptr when its id belongs to none. With one event the id is not looked at; id 0, of
  // records that perf made up, is the first event (evlist__event2evsel()).
  const Event* of_sample(const Record& record) const {
    if (!id_offset_) return events_.empty() ? nullptr : events_.front().get();
    const std::uint64_t id = word_at(record, *id_offset_);
    return id == 0 ? events_.front().get() : find(id);
  }
  // The event of any other record, the first where it does not say; nullptr when there are no events.
  const Event* of_trailer(const Record& record) const;
  // The identity of a record that is not a sample.
  SampleId identify(const Record& record) const;
  // When a sample was taken; no_time when that is not recorded or the record is too short.
  std::uint64_t sample_time(const Record& record) const {
    const std::optional<std::size_t> offset = time_offset_ ? time_offset_ : time_offset_of(record);
    return offset && *offset + 8 <= record.payload.size() ? word_at(record, *offset) : no_time;
  }

  // Whether records carry times that order them (perf: sample_id_all of the first event).
  bool ordered() const { return !events_.empty() && events_.front()->attr.sample_id_all(); }
  // Whether samples are sums of their group's counters, so that each depends on the one before.
  bool reads_counters() const;

 private:
  // 0 where the payload is too short.
  static std::uint64_t word_at(const Record& record, std::size_t offset) {
    ByteReader in(record.payload, record.order);
    in.skip(offset);
    return in.u64();
  }
  std::optional<std::size_t> time_offset_of(const Record& sample) const;

  std::vector<std::unique_ptr<Event>> events_;
  std::optional<std::size_t> id_offset_;    // in the payload of samples, where there is more than one event
  std::optional<std::size_t> time_offset_;  // in the payload of samples, when it is the same for all events
  EventIds by_id_;
};

}  // namespace perfsift::reader
