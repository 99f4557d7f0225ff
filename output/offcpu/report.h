// What `perfsift offcpu` prints: for people and for programs.
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

// Which intervals filters keep.
enum class Scope : std::uint8_t {
  all,
  threads,    // all of some threads: of these the times they ran are told, too
  intervals,  // some: nothing is told that is not of these
};

// What a report is about, when all of the recording was read.
struct Findings {
  const offcpu::Scheduler& scheduler;
  const offcpu::Analysis& analysis;  // finished
  const offcpu::IntervalSums& idle;  // intervals that --ignore-idle left out
  bool idle_left_out = false;
  const offcpu::FeedSources& sources;
  Scope scope = Scope::all;
  std::uint64_t intervals = 0;  // that there are, kept or not
  // By ThreadNumber, whether the filters of threads keep it, and whether it is known to be one of the kernel.
  std::vector<bool> kept = {};
  std::vector<bool> of_kernel = {};
  offcpu::WaitKinds& waits;
  const std::vector<offcpu::Spike>* spikes = nullptr;  // where they were asked for
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
  offcpu::SortKey sort = offcpu::SortKey::involuntary;
};

void write_report(const Findings& findings, offcpu::Names& names, const ReportOptions& options, TextWriter& out);
// One object, with stable keys. Times are in milliseconds where a key ends in _ms, else in nanoseconds.
std::string report_json(const Findings& findings, offcpu::Names& names, const ReportOptions& options);

}  // namespace perfsift::output
