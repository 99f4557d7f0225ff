// A BPF_MAP_TYPE_PERF_EVENT_ARRAY: an event of the kind BPF_OUTPUT for each CPU, whose descriptor is put into the
// element of the CPU. bpf_perf_event_output() writes samples into the event's ring.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "record/bpf/payload_source.h"
#include "record/open_counters.h"
#include "record/ring_set.h"
#include "record/wake_ups.h"

namespace perfsift::record {

class PerfArraySource : public PayloadSource {
 public:
  PerfArraySource(RingMap map, const PayloadSourcePlan& plan);

  const reader::EventAttr& attr() const override { return events_.front().attr; }
  std::vector<std::uint64_t> ids() const override;
  void drain(RecordSink& sink) override { rings_->drain(sink); }
  void wait(std::chrono::milliseconds longest) override { wake_ups_.wait(longest); }
  void watch(int fd) override { wake_ups_.add_other(fd); }
  std::vector<PayloadCounts> counts() const override;
  const std::vector<std::string>& left_out() const override { return left_out_; }

 private:
  std::vector<unsigned> cpus_of(const PayloadSourcePlan& plan);
  void open_events(const PayloadSourcePlan& plan);
  void put_into_map();

  RingMap map_;  // closing its file takes the events out
  std::vector<std::string> left_out_;
  std::vector<SessionEvent> events_;
  std::vector<OpenCounter> counters_;
  std::unique_ptr<RingSet> rings_;
  WakeUps wake_ups_;
};

}  // namespace perfsift::record
