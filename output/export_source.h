// What every export is written from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/offcpu/cpu_slices.h"
#include "analysis/profile/profile.h"
#include "analysis/profile/sampling_period.h"
#include "analysis/samples/stack_options.h"
#include "analysis/table/sample_table.h"
#include "reader/read_stats.h"

namespace perfsift::output {

// All members refer to data that lives longer.
struct ExportSource {
  const analysis::Profile& profile;
  // The samples of the profile, in the order of their times for formats whose samples are.
  const analysis::SampleTable& table;
  // The events of the profile that have samples, in the order in which they are written.
  std::vector<analysis::EventId> events;
  // Of them, those that programs which show one at a time begin with; empty: any.
  std::vector<analysis::EventId> shown = {};
  // What programs that show the export should tell about the recording, a line each.
  std::vector<std::string> comments;
  bool digest = false;  // pprof: the last comment tells whether the bytes were changed
  std::string title;
  std::string machine;                       // as `uname -m` prints it; empty: not known
  std::string main_binary;                   // path; empty: not known
  std::optional<std::uint64_t> recorded_at;  // nanoseconds since 1970, at first_time
  std::uint64_t duration = 0;                // of all inputs together, in nanoseconds; 0: not known
  // Of samples, losses, throttling and slices, in nanoseconds of the recording's clock; 0: not known.
  std::uint64_t first_time = 0, last_time = 0;
  std::vector<reader::LostAt> lost;
  std::vector<reader::ThrottleWindow> throttled;
  bool one_recording = false;                // all samples are of one recording, or of its text
  std::span<const offcpu::CpuSlice> slices;  // for formats that have a place for them
  analysis::SamplingPeriod period;           // of the first event
  analysis::Weight weight = analysis::Weight::period;
  unsigned threads = 1;

  // Whether values of the event are time.
  bool is_in_nanoseconds(analysis::EventId event) const {
    return weight == analysis::Weight::period && profile.is_in_nanoseconds(event);
  }
  // The unit of the event's values, in words of pprof; empty: none, or not known.
  std::string_view unit(analysis::EventId event) const {
    if (is_in_nanoseconds(event)) return "nanoseconds";
    return weight == analysis::Weight::period ? std::string_view(profile.event_type(event).unit) : "";
  }
};

}  // namespace perfsift::output
