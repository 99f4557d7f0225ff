// --mark: events of the traced program, each of which asks for a snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reader/event_table.h"
#include "record/session.h"
#include "tools/record/flight_trigger.h"

namespace perfsift::tools {

// For the thread that owns the recorder.
class LiveMarks {
 public:
  // Opens the events in rings of their own, for the threads that `session` records: the flight recorder, by `plan`.
  // Throws Error and UsageError as record::Session does.
  LiveMarks(const std::vector<record::EventRequest>& marks, const record::SessionPlan& plan,
            const record::Session& session);

  void start() { session_.start(); }
  // Reads the rings, and gives the marks since the last call.
  std::vector<FlightTrigger> pass();

 private:
  record::Session session_;
  reader::EventTable events_;
};

}  // namespace perfsift::tools
