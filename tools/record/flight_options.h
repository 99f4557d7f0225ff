// The options of perfsift record for a flight recorder: see record/flight/ and perfsift-record(1).
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "filter/filter.h"
#include "options/command_line.h"
#include "record/session.h"
#include "tools/record/output_options.h"

namespace perfsift::tools {

class FlightOptions {
 public:
  std::chrono::nanoseconds window{};  // the time that is kept; 0: no flight recorder
  filter::Filter condition;           // of --when; keeps_all(): none
  unsigned most_a_minute = 6;

  void add_to(options::po::options_description& options);
  // Reads what add_to() only stores as text. Throws UsageError.
  void complete(const RecordOutputOptions& output);
  // Overwritten rings, and the events of --mark behind those of the plan. `ring_size_given`: by -m. Throws UsageError.
  void apply(record::SessionPlan& plan, bool ring_size_given);

  bool on() const { return window.count() != 0; }
  bool when() const { return !condition.keeps_all(); }
  // The events of --mark, as requests with leaders of their own.
  const std::vector<record::EventRequest>& marks() const { return marks_; }
  // Whom conditions and marks watch: all that was asked for, also what --keep takes out of the recording.
  const record::Target& watched() const { return watched_; }
  bool sizes_rings() const { return sizes_rings_; }

 private:
  std::string window_text_, when_;
  std::vector<std::string> mark_names_;
  std::vector<record::EventRequest> marks_;
  record::Target watched_;
  bool limit_given_ = false, sizes_rings_ = true;
};

// The most bytes of all overwritten rings together, unless -m says their size.
inline constexpr std::size_t most_flight_bytes = std::size_t{256} << 20;

}  // namespace perfsift::tools
