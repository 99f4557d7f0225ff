// A session of recording: opens events for a target, drains their rings, and accounts for every loss.
//
// ```cpp
// record::Session session(plan);      // everything is open and mapped; records beside samples are written already
// session.start();
// while (session.running()) session.wait(), session.drain(records);
// session.stop();
// session.drain(records);
// ```
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reader/records/header_records.h"
#include "reader/writer/header_content.h"
#include "record/ring_group.h"
#include "record/rings/counter.h"
#include "record/rings/record_sink.h"
#include "record/rings/ring_reader.h"
#include "record/session_plan.h"
#include "record/target.h"

namespace perfsift::record {

// One counter of the kernel, for ID_INDEX records.
struct CounterInfo {
  std::uint64_t id = 0;
  std::size_t event = 0;  // index in Session::events()
  std::size_t ring = 0;
  Place place;
};

// Not thread-safe, but each of the groups may be waited for and drained by a thread of its own. A session takes no
// signal handlers: who handles signals calls signal_command() or stop().
class Session {
 public:
  // Opens all events. Throws Error when an event cannot be opened: the message says why, and what to change. Throws
  // UsageError when the target does not exist, or contradicts itself.
  explicit Session(SessionPlan plan);
  // A command that still runs is ended (SIGTERM, then SIGKILL).
  ~Session();

  // The events as they were opened: attrs after all fallbacks, and the ids of their counters. A dummy event for the
  // records beside samples may follow the events of the plan.
  const std::vector<reader::EventEntry>& events() const;
  const std::vector<std::string>& event_names() const;
  std::vector<CounterInfo> counters() const;
  // What was asked for and is left out, because privileges or the kernel lack: sentences for the user.
  const std::vector<std::string>& left_out() const;
  // How times of a hardware trace become times of other records. Nothing: the session has a clock of its own, which it
  // does not have if it records traces, or the kernel does not say.
  std::optional<reader::TimeConv> time_conversion() const;
  std::size_t rings() const;
  std::optional<std::int32_t> command_pid() const;

  // Enables the events, at once or after the delay of the plan, and lets the command execute its program. Throws
  // UsageError when the program cannot be executed.
  void start();
  void enable();
  // Samples end; records beside samples go on, so that the next samples find their names.
  void disable();
  // All records end.
  void stop();
  // Makes wait() return while a descriptor of the caller is readable. Throws Error.
  void watch(int fd);
  // Until a ring is filled to the watermark, the longest wait has passed, the target has ended, or a signal came.
  void wait();
  // One pass over all ordinary rings; ends with sink.round(). Not with groups.
  void drain(RecordSink& sink);
  // With RingPlan::threads: the threads that have rings, and all ordinary rings among them. They end with the session.
  // wait() then leaves the rings to the groups.
  const std::vector<std::unique_ptr<RingGroup>>& groups() const;
  // Copies what the overwritten rings have, which takes a moment. Two copies may have the same records.
  std::vector<RingCopy> copy_overwritten() const;
  // Gives what was copied, the oldest records of a ring first; ends with sink.round(). Copies must come in the order in
  // which they were made, and before resize_overwritten(). The sink may make further copies.
  void give(std::vector<RingCopy> copies, RecordSink& sink);
  void snapshot(RecordSink& sink) { give(copy_overwritten(), sink); }
  // Gives each overwritten ring another size, and so drops what it has. False: the system does not grant so much locked
  // memory, and the rings keep their size. Throws Error if it does not even grant what it has granted before.
  bool resize_overwritten(std::size_t bytes);
  std::vector<RingFill> overwritten_rings() const;
  // False after the command, or each recorded thread with all that it started, has ended. wait() notices the end.
  bool running();
  std::optional<int> command_status();  // of waitpid()
  void signal_command(int number);
  // What each counter has counted up to now, in the order of counters(). Nothing: the kernel does not say.
  std::vector<std::optional<Counter::Count>> counts() const;
  // What each ring has given and lost up to now.
  std::vector<RingCounts> ring_counts() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::record
