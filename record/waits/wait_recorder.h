// Measures waits by BPF programs, and writes them as records of a recording: see reader/format/measured_waits.h. After
// start(), drain() is to be called some times a second, and finish() at the end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "record/rings/record_sink.h"
#include "record/waits/probe_frames.h"
#include "record/waits/wait_programs.h"
#include "record/waits/wait_samples.h"

namespace perfsift::record {

class RingBuffer;

// From the beginning.
struct WaitTotals {
  std::uint64_t samples = 0;  // that were written
  std::uint64_t sent = 0, not_sent = 0;
  std::uint64_t left_out = 0, without_thread = 0, without_stack = 0;
};

// Not thread-safe. If it is destroyed, the kernel measures no longer.
class WaitRecorder {
 public:
  // `programs`: loaded with this plan. `every`: the time between two readings of the
  // sums; nothing: only when half of the table or of the stacks is in use, and at the end.
  WaitRecorder(const WaitPlan& plan, std::unique_ptr<WaitPrograms> programs,
               std::optional<std::chrono::nanoseconds> every = std::nullopt);
  ~WaitRecorder();

  void add_process(std::uint32_t pid) { programs_->add_process(pid); }
  // Attaches the programs.
  void start(RecordSink& sink);
  // Writes the sums, and goes on in a new recording: a wait that goes on is in the one in which it ends.
  void end_part(RecordSink& sink);
  void begin_part(RecordSink& sink);
  // Writes the intervals over the threshold that have ended, and the sums if it is time.
  void drain(RecordSink& sink);
  // Ends the measuring, and writes what is left, also waits that go on.
  void finish(RecordSink& sink);

  const WaitTotals& totals() const { return totals_; }
  std::uint32_t copied_stack() const { return plan_.copied_stack; }

 private:
  struct KnownStack {
    WaitStack words;
    std::uint64_t used = 0;  // the reading in which it was used last
  };

  bool is_time(const wait_counts& now) const;
  void write_events(RecordSink& sink);
  void take_payload(Bytes payload);
  void write_event(const wait_event& event);
  std::uint64_t write_sums(RecordSink& sink);  // returns the time up to which they count
  void write_rows(std::uint64_t time);
  void write_open_waits(std::uint64_t time);
  void write_open_wait(std::uint32_t tid, const wait_thread& thread, std::uint64_t time);
  void write_table(std::uint64_t time, const wait_counts& now);
  void add_cost(std::span<std::uint64_t, reader::measured_table::field_count> values);
  void append(const reader::MeasuredTracepoint& tracepoint, const WaitSample& sample,
              std::span<const std::uint64_t> values);
  std::span<const std::uint64_t> words_of(std::uint64_t hash);
  WaitCallchain callchain_of(std::uint64_t kernel, std::uint64_t user);
  void take_stacks();
  void give(RecordSink& sink);

  const WaitPlan plan_;
  const std::optional<std::chrono::nanoseconds> every_;
  std::unique_ptr<WaitPrograms> programs_;
  std::unique_ptr<RingBuffer> events_;  // nullptr: no intervals are sent
  const ProbeFrames probe_frames_;
  std::unordered_map<std::uint64_t, KnownStack> stacks_;
  std::unordered_map<std::uint32_t, std::vector<std::byte>> copies_;  // by tid: payloads whose events come next
  std::uint64_t begin_ = 0;                                           // of measuring, or of this recording
  std::uint64_t reading_ = 1;
  std::uint64_t last_sums_ = 0;  // the time of the last reading
  // At the last reading of the sums:
  wait_counts counts_{};
  ProgramUse use_;
  std::uint64_t recorder_time_ = 0;
  std::uint64_t attach_time_ = 0;  // that no table has yet
  std::vector<std::byte> records_;
  WaitTotals totals_;
};

}  // namespace perfsift::record
