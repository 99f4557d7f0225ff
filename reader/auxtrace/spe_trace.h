// The Arm SPE trace of a recording, and the samples that become of it, as perf makes them: tools/perf/util/arm-spe.c.
//
// The trace lies in pieces behind AUXTRACE records. The pieces of one ring buffer are a queue; a ring buffer belongs to
// a CPU, or to a thread. A record of the trace does not continue in another piece, so the pieces may be decoded in any
// order. Nothing is stored: each visit decodes the pieces again.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/auxtrace/counter_clock.h"
#include "reader/auxtrace/cpu_threads.h"
#include "reader/auxtrace/spe_cpu.h"
#include "reader/auxtrace/spe_records.h"
#include "reader/auxtrace/trace_events.h"
#include "reader/format/sample.h"
#include "reader/timeline/timeline.h"

namespace perfsift::reader {

// A kind of samples that is made of the trace: an event that perf adds to those of the recording.
struct SpeEventKind {
  std::string_view name;
  bool TraceEvents::*wanted;
  bool (*takes)(const SpeRecord& record);
  bool at_target = false;  // the address of the sample is the target of the branch
  bool has_data = true;    // the sample has a data source
};

// The kinds in perf's order.
std::vector<const SpeEventKind*> spe_event_kinds(const TraceEvents& wanted);
// The attr of all kinds. `traced`: of the event that made the trace. `timed`: see SpeTrace.
EventAttr spe_event_attr(const EventAttr& traced, bool timed);

// The counts of a visit of a trace.
struct SpeCounts {
  std::uint64_t records = 0;
  std::uint64_t samples = 0;
  std::uint64_t damaged_bytes = 0;  // of records that were left out
  std::uint64_t cut_records = 0;    // that do not end because the buffer was full

  SpeCounts& operator+=(const SpeCounts& other);
};

// A piece of the trace.
struct SpePiece {
  Bytes data;  // in the recording
  std::uint64_t offset = 0;
  std::uint32_t queue = 0;
  std::int32_t tid = -1;
  std::int32_t cpu = -1;
  Moment moment;  // at which perf read the piece
  SpeProcessor processor;
};

// Const members are thread-safe.
class SpeTrace {
 public:
  // `timed`: some event of the recording has times. Otherwise the times of the trace cannot be compared with those of
  // other records (arm_spe__is_timeless_decoding()).
  SpeTrace(SpeSettings settings, std::string_view cpu_id, const TimeConv& conversion, bool timed)
      : settings_(std::move(settings)), cpu_id_(cpu_id), clock_(conversion), timed_(timed) {}

  // The events that were made for kinds.
  void add_event(const SpeEventKind& kind, const Event& event) { events_.push_back({&kind, &event}); }
  // `auxtrace`: an AUXTRACE record. False when the record is malformed.
  bool add_piece(const Record& auxtrace, Moment moment);
  void take_switch(const Record& record, const SampleId& id) { threads_.take(record, id, clock_); }
  // Must be called after the last record.
  void finish() { threads_.sort(); }

  struct MadeEvent {
    const SpeEventKind* kind;
    const Event* event;
  };
  const std::vector<MadeEvent>& events() const { return events_; }
  const std::vector<SpePiece>& pieces() const { return pieces_; }
  const CounterClock& clock() const { return clock_; }
  const CpuThreads& threads() const { return threads_; }
  bool timed() const { return timed_; }

 private:
  SpeSettings settings_;
  std::string_view cpu_id_;
  CounterClock clock_;
  bool timed_;
  std::vector<MadeEvent> events_;
  std::vector<SpePiece> pieces_;
  CpuThreads threads_;
};

// Reads a piece and makes samples of its records. Not thread-safe.
class SpePieceSamples {
 public:
  SpePieceSamples(const SpeTrace& trace, const Timeline& timeline, const SpePiece& piece)
      : trace_(trace), timeline_(timeline), piece_(piece), records_(piece.data, piece.offset) {}

  // Goes to the next record; false at the end of the piece.
  bool next();
  std::uint64_t counter() const { return record_.timestamp; }

  // Makes the samples of the record.
  template <typename Visitor>
  void deliver(Visitor& visitor) {
    prepare();
    for (const SpeTrace::MadeEvent& made : trace_.events()) {
      if (!made.kind->takes(record_)) continue;
      become(made);
      ++samples_;
      visitor.sample(sample_);
    }
  }

  SpeCounts counts() const;

 private:
  void prepare();
  void become(const SpeTrace::MadeEvent& made);
  std::int32_t thread() const;
  std::int32_t process_of(std::int32_t tid, Moment moment);

  const SpeTrace& trace_;
  const Timeline& timeline_;
  const SpePiece& piece_;
  SpeRecords records_;
  SpeRecord record_;
  std::uint64_t newest_ = 0;   // timestamp: a record without a timestamp belongs to about this time
  std::int32_t context_ = -1;  // of the latest record with a context packet
  std::uint64_t data_source_ = 0;
  Sample sample_;
  std::int32_t known_tid_ = -1;  // the thread of known_
  std::optional<ThreadState> known_;
  std::uint64_t count_ = 0;
  std::uint64_t samples_ = 0;
};

// Makes the samples of all pieces in the order of their times, in turns with the other records of the recording
// (arm_spe_process_queues()). Not thread-safe.
class SpeMerge {
 public:
  SpeMerge(const SpeTrace& trace, const Timeline& timeline);

  // The samples before `time`.
  template <typename Visitor>
  void deliver_before(std::uint64_t time, Visitor& visitor) {
    if (trace_.timed()) deliver_until(trace_.clock().counter(time), visitor);
  }
  template <typename Visitor>
  void finish(Visitor& visitor) {
    deliver_until(end_of_counter, visitor);
  }

  const SpeCounts& counts() const { return counts_; }

 private:
  static constexpr std::uint64_t end_of_counter = ~std::uint64_t{0};
  struct Queue {
    std::deque<const SpePiece*> pieces;  // that were not begun
    std::optional<SpePieceSamples> reading;
    std::uint64_t newest = 0;  // counter up to the record that waits
    std::uint32_t number = 0;
  };
  static bool later(const Queue* a, const Queue* b) {
    return a->newest != b->newest ? a->newest > b->newest : a->number > b->number;
  }

  // Goes to the next record of the queue; false when there is none.
  bool advance(Queue& queue);
  // Adds a queue with a waiting record to heap_.
  void wait(Queue& queue);
  Queue& take_first();

  template <typename Visitor>
  void deliver_until(std::uint64_t limit, Visitor& visitor) {
    while (!heap_.empty() && (heap_.front()->newest < limit || limit == end_of_counter)) {
      Queue& queue = take_first();
      const std::uint64_t others = heap_.empty() ? end_of_counter : heap_.front()->newest;
      bool more = true;
      do {
        queue.reading->deliver(visitor);
        more = advance(queue);
      } while (more && queue.newest <= others && (queue.newest < limit || limit == end_of_counter));
      if (more) wait(queue);
    }
  }

  const SpeTrace& trace_;
  const Timeline& timeline_;
  std::map<std::uint32_t, Queue> queues_;
  std::vector<Queue*> heap_;
  SpeCounts counts_;
};

}  // namespace perfsift::reader
