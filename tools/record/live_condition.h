// --when: a condition about intervals off the CPU, evaluated while the intervals happen.
//
//   rings of the scheduler's tracepoints ──▶ recording in pipe form ──▶ thread: RecordingFeed ──▶ Scheduler
//   (of their own, drained in each pass)     (ByteChannel)                      ──▶ IntervalSelection ──▶ triggers
//
// The events are in the order of their times after the next pass, so an interval is judged at most two passes after its
// end. The events have stacks only if the condition asks for stacks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "filter/filter.h"
#include "record/session.h"
#include "tools/record/flight_trigger.h"

namespace perfsift::tools {

// For the thread that owns the recorder.
class LiveCondition {
 public:
  // Opens the scheduler's tracepoints on all CPUs of the plan. `condition`: about intervals. `session`: of the flight
  // recorder, whose threads alone count if it records threads and not CPUs. `condition` must live longer. Throws Error
  // that says what is missing.
  LiveCondition(const filter::Filter& condition, const record::SessionPlan& plan, const record::Session& session);
  ~LiveCondition();

  // Intervals count from now on.
  void start();
  // Reads the rings, and gives what was found since the last call. Throws Error if the evaluation has failed.
  std::vector<FlightTrigger> pass();
  // Waits until everything in the rings is evaluated, and ends the evaluation. Gives what was found since pass().
  std::vector<FlightTrigger> finish();
  // Events that the rings lost: intervals around them are not judged.
  std::uint64_t lost() const;
  int fd() const;  // readable when something was found

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::tools
