#include "reader/ordered_delivery.h"

#include "reader/record_walk.h"

namespace perfsift::reader {

OrderedDelivery::OrderedDelivery(const EventTable& events, const DeferredCallchains& deferred, OrderedVisitor& visitor,
                                 Hooks hooks)
    : events_(events), visitor_(visitor), hooks_(std::move(hooks)), samples_(events, deferred) {
  if (hooks_.copy_records) copies_.emplace();
}

void OrderedDelivery::take(const Record& record) {
  order_ = record.order;
  if (record.header.type == RecordType::finished_round) {
    queue_.finish_round([this](const QueueEntry& entry) { deliver_queued(entry, order_); });
  }
  // perf handles its own records at once, and never queues them (perf_session__process_user_event()).
  const bool perfs_own = static_cast<std::uint32_t>(record.header.type) >= first_user_record;
  if (perfs_own || !events_.ordered()) return deliver(record, {queue_.delivered(), record.position});

  const bool sample = record.header.type == RecordType::sample;
  const std::uint64_t time = sample ? events_.sample_time(record) : events_.identify(record).time;
  if (time == 0 || time == no_time) return deliver(record, {queue_.delivered(), record.position});
  queue(record, time);
}

void OrderedDelivery::finish() {
  queue_.finish([this](const QueueEntry& entry) { deliver_queued(entry, order_); });
}

void OrderedDelivery::queue(const Record& record, std::uint64_t time) {
  const std::byte* start = record.payload.data() - record_header_size;
  if (copies_) start = copies_->add({start, record_header_size + record.payload.size()});
  if (!queue_.push({.time = time, .position = record.position, .at = start})) ++out_of_order_;
}

void OrderedDelivery::deliver_queued(const QueueEntry& entry, ByteOrder order) {
  if (hooks_.before_time) hooks_.before_time(entry.time);
  deliver(record_at(entry.at, order, entry.position), {entry.time, entry.position});
  if (copies_) copies_->drop(entry.at);
}

void OrderedDelivery::deliver(const Record& record, Moment moment) {
  if (record.header.type == RecordType::sample) return samples_.deliver(record, moment, visitor_);
  const SampleId id = events_.identify(record);
  if (hooks_.before_record) hooks_.before_record(record, moment, id);
  visitor_.record(record, id, moment);
}

}  // namespace perfsift::reader
