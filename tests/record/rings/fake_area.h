// Memory that looks like a ring of the kernel with an AUX area, and a writer in the hardware's place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <linux/perf_event.h>

#include "record/rings/aux_area.h"
#include "record/rings/ring_reader.h"
#include "tests/record/rings/fake_ring.h"

namespace perfsift::test {

class FakeArea {
 public:
  explicit FakeArea(std::size_t capacity) : store_(capacity) {}

  FakeRing& ring() { return ring_; }
  std::size_t capacity() const { return store_.size(); }
  std::uint64_t tail() const { return control().aux_tail; }
  std::uint64_t head() const { return control().aux_head; }
  void set_head(std::uint64_t head) { control().aux_head = head; }
  perf_event_mmap_page& control() const { return *reinterpret_cast<perf_event_mmap_page*>(ring_.memory().data()); }

  // perf_aux_output_end(): the bytes are there before the head moves.
  void write(Bytes trace) {
    for (std::size_t i = 0; i < trace.size(); ++i) store_[(head() + i) % store_.size()] = trace[i];
    set_head(head() + trace.size());
  }

  record::Ring over_ring() const { return record::Ring::over(ring_.memory(), record::Ring::Kind::ordinary); }
  record::AuxArea over(const record::Ring& ring) { return record::AuxArea::over(ring, store_); }
  record::RingReader reader(std::int32_t tid = -1, std::int32_t cpu = -1) {
    record::RingReader reader(over_ring());
    reader.add_area(over(reader.ring()), tid, cpu);
    return reader;
  }

 private:
  FakeRing ring_;
  std::vector<std::byte> store_;
};

}  // namespace perfsift::test
