// The events of a recording, and the event of each record.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/event_ids.h"
#include "reader/features/features.h"
#include "reader/format/event.h"
#include "reader/format/sample.h"
#include "reader/tracepoint.h"

namespace perfsift::reader {

// Grows while a stream is read; otherwise complete before the first sample. Events keep their addresses. Const members
// are thread-safe.
class EventTable {
 public:
  Event& add(const EventAttr& attr, const std::vector<std::uint64_t>& ids);
  void add_id(Event& event, std::uint64_t id);
  // An event without SAMPLE records: its samples are made of a hardware trace.
  Event& add_made(const EventAttr& attr, std::string_view name, std::uint64_t id);
  // Takes names and groups from EVENT_DESC, GROUP_DESC and the formats of tracepoints, which know more than the attr
  // alone.
  void name_events(const Features& features, const TracepointFormats* formats);

  // Finds the events of AMD's IBS, by PMU_MAPPINGS, and the fields that follow from their raw data.
  void find_ibs(const Features& features);

  const std::vector<std::unique_ptr<Event>>& events() const { return events_; }
  Event* find(std::uint64_t id) const { return by_id_.find(id); }

  // The event of a sample; nullptr when the sample's id belongs to no event. With a single event the id is not looked
  // at. Id 0, in records that perf made up, means the first event (evlist__event2evsel()).
  const Event* of_sample(const Record& record) const {
    if (!id_offset_) return events_.empty() ? nullptr : events_.front().get();
    const std::uint64_t id = word_at(record, *id_offset_);
    return id == 0 ? events_.front().get() : find(id);
  }
  // The event of any other record: the first event where the record does not say; nullptr when there are no events.
  const Event* of_trailer(const Record& record) const;
  // The sample_id trailer of a record that is not a sample.
  SampleId identify(const Record& record) const;
  // The time of a sample; no_time when the time was not recorded or the record is too short.
  std::uint64_t sample_time(const Record& record) const {
    const std::optional<std::size_t> offset = time_offset_ ? time_offset_ : time_offset_of(record);
    return offset && *offset + 8 <= record.payload.size() ? word_at(record, *offset) : no_time;
  }

  // Whether records have times that order them (perf: sample_id_all of the first event).
  bool ordered() const { return !events_.empty() && events_.front()->attr.sample_id_all(); }
  // Whether samples read the counters of their group: the period of such a sample is the difference to the sample
  // before.
  bool reads_counters() const;

 private:
  Event& append(const EventAttr& attr);
  // 0 where the payload is too short.
  static std::uint64_t word_at(const Record& record, std::size_t offset) {
    ByteReader in(record.payload, record.order);
    in.skip(offset);
    return in.u64();
  }
  std::optional<std::size_t> time_offset_of(const Record& sample) const;

  std::vector<std::unique_ptr<Event>> events_;
  std::optional<std::size_t> id_offset_;    // in the payload of samples; used when there is more than one event
  std::optional<std::size_t> time_offset_;  // in the payload of samples, when all events agree on the offset
  EventIds by_id_;
};

}  // namespace perfsift::reader
