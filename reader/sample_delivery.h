// Turns a SAMPLE record into the samples that a visitor receives.
//
// Usually one sample per record. A record that reads counters (PERF_SAMPLE_READ) is delivered as one sample per counter
// that has changed: the sample's period is the difference, its event is the counter's event. See
// evlist__deliver_sample() in tools/perf/util/session.c.
#pragma once

#include <unordered_map>
#include <vector>

#include "reader/deferred_callchains.h"
#include "reader/event_table.h"
#include "reader/recording.h"

namespace perfsift::reader {

// Records that could not be delivered.
struct DeliveryCounts {
  std::uint64_t malformed = 0;
  std::uint64_t unknown_ids = 0;

  DeliveryCounts& operator+=(const DeliveryCounts& other) {
    malformed += other.malformed;
    unknown_ids += other.unknown_ids;
    return *this;
  }
};

// One per thread. A recording that reads counters needs a single SampleDelivery for all samples, in order, because the
// SampleDelivery remembers the last value of each counter.
class SampleDelivery {
 public:
  SampleDelivery(const EventTable& events, const DeferredCallchains& deferred) : events_(events), deferred_(deferred) {}

  // `moment`: when the record takes effect.
  template <typename Visitor>
  void deliver(const Record& record, Moment moment, Visitor& visitor) {
    const Event* event = events_.of_sample(record);
    if (event == nullptr) return void(++counts_.unknown_ids);
    if (!decoder_.decode(record, *event, sample_)) return void(++counts_.malformed);
    sample_.moment = moment;
    if (!deferred_.empty() && deferred_.join(sample_, joined_)) sample_.callchain = joined_;
    if (!sample_.has(sample_bit::read)) return visitor.sample(sample_);
    const bool has_ids = (event->attr.read_format & read_format::id) != 0;
    for (const ReadValue& value : sample_.read) {
      if (has_ids && !take_identity(value.id)) continue;
      if (take_value(value.value)) visitor.sample(sample_);
    }
  }

  const DeliveryCounts& counts() const { return counts_; }

 private:
  // Makes sample_ a sample of the counter with this id; false when the id belongs to no event.
  bool take_identity(std::uint64_t id);
  // Sets the period to the difference since the counter's last value; false when the value has not changed.
  bool take_value(std::uint64_t value);

  const EventTable& events_;
  const DeferredCallchains& deferred_;
  SampleDecoder decoder_;
  Sample sample_;
  std::vector<Unaligned<std::uint64_t>> joined_;
  std::unordered_map<std::uint64_t, std::uint64_t> last_values_;  // of counters, by id
  DeliveryCounts counts_;
};

}  // namespace perfsift::reader
