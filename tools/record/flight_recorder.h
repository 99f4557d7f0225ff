// perfsift record --flight: keeps the last seconds in memory, and writes a recording of them each time that somebody
// asks.
//
//   samples ──▶ overwritten rings ──▶ copies ────┐
//   names   ──▶ ordinary rings ──▶ SideBandLog ──┴─────────▶ a recording for each snapshot
//
//   SIGUSR2, --control, LiveCondition (--when), LiveMarks (--mark) ask; SnapshotLimit bounds how often.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "reader/event_table.h"
#include "record/flight/ring_sizer.h"
#include "record/flight/side_band_log.h"
#include "record/flight/snapshot_limit.h"
#include "record/session.h"
#include "tools/record/flight_options.h"
#include "tools/record/flight_trigger.h"
#include "tools/record/keep_options.h"
#include "tools/record/live_condition.h"
#include "tools/record/live_marks.h"
#include "tools/record/output_options.h"
#include "tools/record/recorded_totals.h"
#include "tools/record/recorder_requests.h"

namespace perfsift::tools {

// Not thread-safe. Prints what happens to stderr, unless the options ask for quiet.
class FlightRecorder {
 public:
  // Opens everything. Throws what Session throws. `kept`: of --keep; nullptr: all samples. `control`: the text of
  // --control; empty: none.
  FlightRecorder(const record::SessionPlan& plan, const RecordOutputOptions& output, const FlightOptions& flight,
                 const KeptSamples* kept, const std::string& control, std::vector<std::string> command_line);

  const record::Session& session() const { return session_; }
  // Waits for reasons to write a snapshot until the target or the user ends it.
  RecordedTotals run();

 private:
  using Clock = std::chrono::steady_clock;
  using Triggers = std::vector<FlightTrigger>;

  void start();
  void pass();
  void end();
  void renew_names();
  void fit_rings();
  void take_requests();
  void take_triggers(Triggers triggers);
  // What the rings had when somebody asked, until it is written.
  struct Caught {
    std::string reason;
    std::uint64_t end = 0;  // by the clock of the records
    std::vector<record::RingFill> fills;
    std::vector<record::RingCopy> copies;
  };
  Caught caught(std::string reason) const;
  void catch_if_asked();
  void write_caught();
  void write_next();
  void write(Caught caught);
  // What the file of a snapshot has: samples, and the time from which they are complete.
  struct Content {
    std::uint64_t samples = 0;
    std::uint64_t from = 0;
  };
  Content write_to(const std::string& path, Caught caught);
  bool wrote_lately() const;
  std::uint64_t now() const;  // by the clock of the records
  void say(const std::string& sentence) const;

  const record::SessionPlan plan_;
  const RecordOutputOptions& output_;
  const FlightOptions& flight_;
  const KeptSamples* const kept_;
  const std::vector<std::string> command_line_;
  record::Session session_;
  RecorderRequests requests_;
  std::optional<LiveCondition> condition_;
  std::optional<LiveMarks> marks_;
  reader::EventTable events_;
  record::SideBandLog names_;
  record::RingSizer sizer_;
  record::SnapshotLimit limit_;
  Triggers asked_;
  std::deque<Caught> caught_;
  std::uint64_t refused_before_ = 0;  // by the limit, when the last snapshot was written
  std::uint64_t kept_since_ = 0;      // the time since which the rings have all samples, by the clock of the records
  RecordedTotals totals_;
  std::uint64_t failed_ = 0;
  unsigned parts_ = 0;
  Clock::time_point begin_;
  std::optional<Clock::time_point> last_written_;
  bool said_too_small_ = false;
};

}  // namespace perfsift::tools
