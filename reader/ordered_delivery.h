// Delivers records in perf's order: straight away, or through a queue that a FINISHED_ROUND empties.
#pragma once

#include <functional>
#include <optional>

#include "reader/ordered_queue.h"
#include "reader/record_keeper.h"
#include "reader/sample_delivery.h"

namespace perfsift::reader {

// Lets a visitor that needs no order see samples in it.
class InOrder : public OrderedVisitor {
 public:
  explicit InOrder(SampleVisitor& visitor) : visitor_(visitor) {}
  void sample(const Sample& sample) override { visitor_.sample(sample); }

 private:
  SampleVisitor& visitor_;
};

class OrderedDelivery {
 public:
  struct Hooks {
    // Before a record that is not a sample is handed to the visitor (a stream feeds its timeline here).
    std::function<void(const Record&, Moment, const SampleId&)> before_record;
    // Whether records must be copied because their bytes will be reused.
    bool keep_records = false;
  };

  OrderedDelivery(const EventTable& events, const DeferredCallchains& deferred, OrderedVisitor& visitor, Hooks hooks);

  // Takes records in the order they are read; COMPRESSED ones must have been expanded before.
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
  std::optional<RecordKeeper> keeper_;
  ByteOrder order_ = ByteOrder::native;
  std::uint64_t out_of_order_ = 0;
};

}  // namespace perfsift::reader
