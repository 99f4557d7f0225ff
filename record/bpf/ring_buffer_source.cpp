#include "record/bpf/ring_buffer_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include <fmt/format.h>
#include <poll.h>

#include "base/clock_time.h"
#include "base/error.h"
#include "base/size_text.h"
#include "reader/record_walk.h"
#include "reader/writer/records/sample.h"

namespace perfsift::record {

namespace {

namespace bit = reader::sample_bit;

RingBuffer mapped(const RingMap& map, const PayloadSourcePlan& plan) {
  const auto access = plan.peek ? RingBuffer::Access::peek : RingBuffer::Access::consume;
  auto ring = RingBuffer::map(map.file.get(), map.info.max_entries, access);
  if (ring) return std::move(*ring);
  throw Error(fmt::format("the ring buffer '{}' of {}B cannot be mapped: {}", map.info.name,
                          size_text(map.info.max_entries), std::strerror(errno)));
}

reader::EventAttr sample_attr() {
  reader::EventAttr attr{.type = reader::event_type::software, .config = reader::software_event::bpf_output};
  attr.sample_period = 1;
  attr.sample_type = bit::identifier | bit::time | bit::raw;
  attr.set(reader::attr_flag::sample_id_all);
  attr.set(reader::attr_flag::use_clockid);
  attr.clock_id = CLOCK_MONOTONIC;
  return attr;
}

// An empty payload takes four bytes of padding, which others need not have.
std::size_t most_payload(const reader::EventAttr& attr) {
  constexpr std::size_t most_record = UINT16_MAX & ~std::size_t{7}, padding = 4;
  return most_record - reader::encode_sample({}, attr).size() + padding;
}

}  // namespace

RingBufferSource::RingBufferSource(RingMap map, const PayloadSourcePlan& plan)
    : map_(std::move(map)),
      ring_(mapped(map_, plan)),
      is_peeking_(plan.peek),
      attr_(sample_attr()),
      most_payload_(most_payload(attr_)) {
  if (!plan.cpus.empty()) throw UsageError("a ring buffer does not say which CPU wrote a payload");
}

// A payload of 64 KiB and more does not fit into a record.
void RingBufferSource::append_sample(Bytes payload, std::uint64_t time) {
  reader::Sample sample;
  sample.id = counter_id;
  sample.time = time;
  sample.raw = payload.first(std::min(payload.size(), most_payload_));
  const std::vector<std::byte> record = reader::encode_sample(sample, attr_);
  samples_.insert(samples_.end(), record.begin(), record.end());
}

// A pass ends at what was there when it began, at the latest: a program that writes faster than the reader reads must
// not keep it from its end.
void RingBufferSource::drain(RecordSink& sink) {
  const std::uint64_t time = clock_time(CLOCK_MONOTONIC);
  std::size_t bytes = 0;
  samples_.clear();
  while (bytes < ring_.capacity()) {
    const auto payload = ring_.next();
    if (!payload) break;
    const std::size_t begin = samples_.size();
    bytes += payload->size() + sizeof(std::uint64_t);
    const bool is_cut = payload->size() > most_payload_;
    append_sample(*payload, time);
    if (ring_.release()) {
      ++received_;
      cut_ += is_cut ? 1 : 0;
    } else {
      samples_.resize(begin);
    }
  }
  if (!samples_.empty()) sink.records(0, samples_);
  sink.round();
}

void RingBufferSource::wait(std::chrono::milliseconds longest) {
  // While peeking, there is always something that the other reader has not read.
  constexpr std::chrono::milliseconds between_peeks{20};
  if (is_peeking_) longest = std::min(longest, between_peeks);
  std::vector<pollfd> files;
  if (!is_peeking_) files.push_back({.fd = map_.file.get(), .events = POLLIN, .revents = 0});
  for (const int fd : watched_) files.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  poll(files.data(), files.size(), static_cast<int>(longest.count()));
}

std::vector<PayloadCounts> RingBufferSource::counts() const {
  return {{.received = received_, .cut = cut_, .damaged = ring_.damaged(), .overtaken_bytes = ring_.overtaken()}};
}

}  // namespace perfsift::record
