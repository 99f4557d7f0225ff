// What `perfsift offcpu` prints: for people and for programs.
#pragma once

#include <cstddef>
#include <string>

#include "tools/offcpu/analysis.h"
#include "tools/offcpu/names.h"
#include "tools/offcpu/spikes.h"
#include "tools/text_writer.h"

namespace perfsift::offcpu {

// What a report is about, when all of the recording was read.
struct Findings {
  const Scheduler& scheduler;
  const Analysis& analysis;
  const IntervalSums& idle;  // intervals that --ignore-idle left out
  bool idle_left_out = false;
  const FeedSources& sources;
  // By ThreadNumber, whether the filters keep it.
  std::vector<bool> kept;
  const std::vector<Spike>* spikes = nullptr;  // where they were asked for
};

struct ReportOptions {
  std::size_t rows = 10;  // of each table
};

void write_report(const Findings& findings, Names& names, const ReportOptions& options, tools::TextWriter& out);
// One object, with stable keys. Times are in milliseconds where a key ends in _ms, else in nanoseconds.
std::string report_json(const Findings& findings, Names& names, const ReportOptions& options);

}  // namespace perfsift::offcpu
