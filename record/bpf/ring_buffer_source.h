// A BPF_MAP_TYPE_RINGBUF as a source: its records become samples that are made here.
#pragma once

#include <string>
#include <vector>

#include "record/bpf/payload_source.h"
#include "record/bpf/ring_buffer.h"

namespace perfsift::record {

class RingBufferSource : public PayloadSource {
 public:
  RingBufferSource(RingMap map, const PayloadSourcePlan& plan);

  const reader::EventAttr& attr() const override { return attr_; }
  std::vector<std::uint64_t> ids() const override { return {counter_id}; }
  void drain(RecordSink& sink) override;
  void wait(std::chrono::milliseconds longest) override;
  void watch(int fd) override { watched_.push_back(fd); }
  std::vector<PayloadCounts> counts() const override;
  const std::vector<std::string>& left_out() const override { return left_out_; }

 private:
  static constexpr std::uint64_t counter_id = 1;

  void append_sample(Bytes payload, std::uint64_t time);

  RingMap map_;
  RingBuffer ring_;
  bool is_peeking_;
  reader::EventAttr attr_;
  std::size_t most_payload_;
  std::vector<int> watched_;
  std::vector<std::byte> samples_;
  std::uint64_t received_ = 0, cut_ = 0;
  std::vector<std::string> left_out_;
};

}  // namespace perfsift::record
