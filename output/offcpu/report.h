// The report of `perfsift offcpu`, as text and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/offcpu/analysis.h"
#include "analysis/offcpu/names.h"
#include "analysis/offcpu/ranking.h"
#include "analysis/offcpu/spikes.h"
#include "output/text_writer.h"

namespace perfsift::output {

// The scope of the filters.
enum class Scope : std::uint8_t {
  all,
  threads,    // all intervals of some threads: the report also has the times these threads ran
  intervals,  // some intervals: the report has only figures of these
  sums,       // of recordings in a store: intervals by the names of threads
};

// The results of an analysis, after the whole recording was read.
struct Findings {
  const offcpu::Scheduler& scheduler;
  const offcpu::Analysis& analysis;  // finished
  const offcpu::IntervalSums& idle;  // intervals that --ignore-idle left out
  bool idle_left_out = false;
  const offcpu::FeedSources& sources;
  Scope scope = Scope::all;
  std::uint64_t intervals = 0;  // all intervals, kept or not
  // By ThreadNumber: whether the filters keep the thread; and whether the thread is known to be the kernel's.
  std::vector<bool> kept = {};
  std::vector<bool> of_kernel = {};
  offcpu::WaitKinds& waits;
  const std::vector<offcpu::Spike>* spikes = nullptr;  // nullptr: not wanted
  std::vector<std::string> notes = {};                 // see quality_lines()
  std::uint64_t recordings = 1;                        // in the sums of a store

  // Whether the report has the times of whole threads.
  bool tells_of_threads() const { return scope == Scope::all || scope == Scope::threads; }
};

// The threads that the filters keep.
struct KeptThreads {
  std::uint64_t count = 0;
  std::uint64_t switches = 0;
  std::uint64_t wakeups = 0;
  offcpu::ThreadTimes times;
};
KeptThreads kept_threads(const Findings& findings);

struct ReportOptions {
  std::size_t rows = 10;  // of each table
  offcpu::RankedBy sort = offcpu::RankedBy::involuntary;
};

void write_report(const Findings& findings, offcpu::Names& names, const ReportOptions& options, TextWriter& out);
// One object, with stable keys. Times are in milliseconds where a key ends in _ms, else in nanoseconds.
std::string report_json(const Findings& findings, offcpu::Names& names, const ReportOptions& options);

}  // namespace perfsift::output
