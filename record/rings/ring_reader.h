// Reads a ring in passes: gives whole records to a sink, gives the room back, and counts what was lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "record/rings/aux_area.h"
#include "record/rings/record_sink.h"
#include "record/rings/ring.h"

namespace perfsift::record {

// What an overwritten ring had at some time: records, the newest first.
struct RingCopy {
  std::size_t ring = 0;       // the number of the ring
  std::uint64_t written = 0;  // what Ring::written() said
  std::vector<std::byte> newest_first;
};

// Not thread-safe.
class RingReader {
 public:
  // `trailer`: the size of the sample_id trailers of its records, to cut off garbage (reader/format/garbage.h). 0:
  // nothing is cut off.
  explicit RingReader(Ring ring, std::size_t trailer = 0) : ring_(std::move(ring)), trailer_(trailer) {}

  // An ordinary ring, in two steps, so that a pass over many rings reads what was there when the pass began: look()
  // remembers the unread bytes, pass_on() gives them to the sink as the records of ring `number`.
  void look() { seen_ = ring_.filled(); }
  void pass_on(std::size_t number, RecordSink& sink);

  // The area of an ordinary ring, and the place of the ring: pass_on() then also gives the unread trace, after the
  // records.
  void add_area(AuxArea area, std::int32_t tid, std::int32_t cpu) {
    area_ = std::move(area);
    tid_ = tid, cpu_ = cpu;
  }
  // Whether the last pass found trace.
  bool emptied_area() const { return emptied_area_; }

  // An overwritten ring: copies all its records, in two steps, so that many rings are copied at nearly the same time.
  // The kernel goes on meanwhile, and loses nothing. settle() must come at least a millisecond after copy(): it takes
  // away what was overwritten while it was copied.
  RingCopy copy(std::size_t number) const;
  void settle(RingCopy& copy) const;
  // Gives the records of a copy, the oldest first. Copies must come in the order in which they were made, and before
  // the ring is dropped. The sink may make further copies.
  void give(const RingCopy& copy, RecordSink& sink);

  // Gives the memory of the ring back to the system, and goes on with another ring, whose records are counted in
  // addition. No other function may be called in between.
  void drop_ring();
  void take_ring(Ring ring) { ring_ = std::move(ring); }

  const Ring& ring() const { return ring_; }
  const RingCounts& counts() const { return counts_; }

 private:
  // A record with garbage, in seen_.
  struct Garbage {
    std::size_t offset = 0, record_size = 0;
    std::size_t size = 0;
  };

  void look_at(const reader::RecordHeader& header, std::size_t offset);
  void count_loss(const reader::Record& record);
  // The bytes of seen_ from `begin` to `end`.
  void give_range(std::size_t begin, std::size_t end, std::size_t number, RecordSink& sink);
  void give_part(Pieces part, std::size_t number, RecordSink& sink);
  void give_without(const Garbage& garbage, std::size_t number, RecordSink& sink);
  void pass_on_trace(std::size_t number, RecordSink& sink);

  Ring ring_;
  std::size_t trailer_ = 0;
  std::optional<AuxArea> area_;  // behind ring_, whose memory must outlive the area
  std::int32_t tid_ = -1, cpu_ = -1;
  bool emptied_area_ = false;
  Pieces seen_;
  RingCounts counts_;
  std::vector<Garbage> garbage_;  // ascending by offset
  std::vector<std::byte> copy_;   // a wrapped record
  std::uint64_t written_ = 0;     // when the last copy that was given was made
};

}  // namespace perfsift::record
