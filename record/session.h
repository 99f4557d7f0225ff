// A session of recording: opens events for a target, drains their rings, and accounts for every loss.
//
// ```cpp
// record::Session session(plan);      // everything is open and mapped, nothing is counted yet
// session.start();
// while (session.running()) session.wait(), session.drain(sink);
// session.stop();
// session.drain(sink);
// ```
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "reader/writer/header_content.h"
#include "record/events/event_request.h"
#include "record/target.h"

namespace perfsift::record {

enum class CallGraph : std::uint8_t { none, frame_pointers, dwarf, branch_stack };  // branch_stack: LBR

// What the options of perf record say of all events; terms of an event come first.
struct SampleContent {
  std::optional<std::uint64_t> period;
  std::optional<std::uint64_t> frequency;  // neither: 4,000 a second, at most what the kernel allows
  CallGraph call_graph = CallGraph::none;
  std::uint32_t stack_size = 8192;
  std::optional<std::uint16_t> max_stack;
  bool addresses = false;  // -d: ADDR, mappings of data
  bool physical_addresses = false;
  bool data_page_size = false, code_page_size = false;
  bool weight = false;  // -W
  bool transactions = false;
  bool cpu = false;                            // --sample-cpu
  bool cgroup = false;                         // --all-cgroups
  bool raw = true;                             // of tracepoints
  std::optional<std::uint64_t> branch_filter;  // -b, -j
  std::optional<std::uint64_t> user_registers, interrupt_registers;
};

// The records beside samples.
struct SideBand {
  bool switches = false;    // --switch-events
  bool namespaces = false;  // --namespaces
  bool cgroups = false;     // --all-cgroups
  bool build_ids = true;    // MMAP2 has build ids where the kernel offers them
  bool kernel_code = true;  // KSYMBOL, BPF_EVENT; needs privileges, left out without
};

struct RingPlan {
  std::size_t bytes = std::size_t{4} << 20;  // of each ring; rounded up to a power of two of pages
  bool overwritten = false;
  double watermark = 0.5;  // the share of a ring that wakes the session
  std::chrono::milliseconds longest_wait{500};
};

struct SessionPlan {
  std::vector<EventRequest> events;
  Target target;
  SampleContent content;
  SideBand side_band;
  RingPlan rings;
  std::int32_t clock_id = 1;                       // CLOCK_MONOTONIC, whose times BPF programs have, too
  bool start_disabled = false;                     // -D -1, --control: enable() decides
  std::optional<std::chrono::milliseconds> delay;  // -D
};

// Takes records as the kernel wrote them.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // Whole records of one ring, in the order of the ring. The bytes are valid during the call.
  virtual void records(std::size_t ring, Bytes records) = 0;
  // A pass over all rings is complete: later records are younger than the youngest record of the pass before.
  virtual void round() = 0;
};

// The samples of one counter that did not reach a ring, by the kernel's own count, and what the ring says.
struct RingLosses {
  std::uint64_t lost_records = 0;  // sums of LOST records
  std::uint64_t lost_samples = 0;  // sums of LOST_SAMPLES records
  std::uint64_t counted = 0;       // PERF_FORMAT_LOST of all counters of the ring; includes both
  std::uint64_t overwritten = 0;   // bytes that were overwritten before they were read
};

// Not thread-safe.
class Session {
 public:
  // Opens all events. Throws Error when an event cannot be opened: the message says why, and what to change.
  explicit Session(SessionPlan plan);
  ~Session();

  // The events as they were opened: attrs after all fallbacks, and the ids of their counters.
  const std::vector<reader::EventEntry>& events() const;
  const std::vector<std::string>& event_names() const;
  // What was asked for and is left out, because privileges or the kernel lack: sentences for the user.
  const std::vector<std::string>& left_out() const;
  std::size_t rings() const;

  void start();
  void enable();
  void disable();
  void stop();
  // Until rings are filled to the watermark, the longest wait has passed, the target has ended, or a signal came.
  void wait();
  // One pass over all rings; ends with sink.round().
  void drain(RecordSink& sink);
  // False after the command, or each recorded thread, has ended.
  bool running();
  std::optional<int> command_status() const;  // of waitpid()
  std::vector<RingLosses> losses() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::record
