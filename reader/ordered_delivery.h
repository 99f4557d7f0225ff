// Delivers records in perf's order: at once, or through a queue that each FINISHED_ROUND empties.
#pragma once

#include <functional>
#include <optional>

#include "reader/ordered_queue.h"
#include "reader/record_copies.h"
#include "reader/sample_delivery.h"

namespace perfsift::reader {

class OrderedDelivery {
 public:
  struct Hooks {
    // Called before a record that is not a sample is handed to the visitor. A stream feeds its timeline here.
    std::function<void(const Record&, Moment, const SampleId&)> before_record;
    // Called before a record or a sample that had to wait for its time is delivered.
    std::function<void(std::uint64_t time)> before_time;
    // Whether records must be copied because the memory of their bytes is used again.
    bool copy_records = false;
  };

  OrderedDelivery(const EventTable& events, const DeferredCallchains& deferred, OrderedVisitor& visitor, Hooks hooks);

  // Takes records in the order in which they are read. COMPRESSED records must have been expanded before.
  void take(const Record& record);
  void finish();

  std::uint64_t out_of_order() const { return out_of_order_; }
  const DeliveryCounts& counts() const { return samples_.counts(); }

 private:
  void queue(const Record& record, std::uint64_t time);
  void deliver(const Record& record, Moment moment);
  void deliver_queued(const QueueEntry& entry, ByteOrder order);

  const EventTable& events_;
  OrderedVisitor& visitor_;
  Hooks hooks_;
  SampleDelivery samples_;
  OrderedQueue queue_;
  std::optional<RecordCopies> copies_;
  ByteOrder order_ = ByteOrder::native;
  std::uint64_t out_of_order_ = 0;
};

}  // namespace perfsift::reader
