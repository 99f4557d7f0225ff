// What `perfsift offcpu` prints: for people and for programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/offcpu/analysis.h"
#include "tools/offcpu/names.h"
#include "tools/offcpu/ranking.h"
#include "tools/offcpu/spikes.h"
#include "tools/text_writer.h"

namespace perfsift::offcpu {

// Which intervals filters keep.
enum class Scope : std::uint8_t {
  all,
  threads,    // all of some threads: of these the times they ran are told, too
  intervals,  // some: nothing is told that is not of these
};

// What a report is about, when all of the recording was read.
struct Findings {
  const Scheduler& scheduler;
  const Analysis& analysis;  // finished
  const IntervalSums& idle;  // intervals that --ignore-idle left out
  bool idle_left_out = false;
  const FeedSources& sources;
  Scope scope = Scope::all;
  std::uint64_t intervals = 0;  // that there are, kept or not
  // By ThreadNumber, whether the filters of threads keep it, and whether it is known to be one of the kernel.
  std::vector<bool> kept = {};
  std::vector<bool> of_kernel = {};
  WaitKinds& waits;
  const std::vector<Spike>* spikes = nullptr;  // where they were asked for
};

// Of the threads that are kept.
struct KeptThreads {
  std::uint64_t count = 0;
  std::uint64_t switches = 0;
  std::uint64_t wakeups = 0;
  ThreadTimes times;
};
KeptThreads kept_threads(const Findings& findings);

struct ReportOptions {
  std::size_t rows = 10;  // of each table
  SortKey sort = SortKey::involuntary;
};

void write_report(const Findings& findings, Names& names, const ReportOptions& options, tools::TextWriter& out);
// One object, with stable keys. Times are in milliseconds where a key ends in _ms, else in nanoseconds.
std::string report_json(const Findings& findings, Names& names, const ReportOptions& options);

}  // namespace perfsift::offcpu
