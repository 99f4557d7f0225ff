// Adds up the memory accesses of a recording.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/memory/cache_lines.h"
#include "analysis/memory/memory_access.h"
#include "analysis/memory/memory_sums.h"
#include "analysis/memory/summed_accesses.h"
#include "analysis/profile/profile.h"
#include "analysis/samples/code_versions.h"
#include "analysis/samples/frame_namer.h"
#include "analysis/samples/memory_nodes.h"
#include "analysis/samples/sample_filter.h"
#include "analysis/samples/stack_options.h"
#include "analysis/table/key.h"
#include "reader/recording.h"

namespace perfsift::analysis {

struct MemoryOptions {
  std::vector<Keys> tables;
  MemoryOrder order = MemoryOrder::weight;
  bool cache_lines = false;     // see CacheLines
  std::size_t lines = 0;        // the number of largest lines that get names; 0: all
  std::uint32_t recording = 0;  // the recording's number, if there are several
  // The stacks become stacks of the profile. Their leaf is the level.
  bool stacks = false;
  Weight stack_weight = Weight::period;  // period: the latency
  StackOptions shape;
  // Set: MemoryTotals::accesses is wanted, with the seconds in which an access counts that has this time, in
  // nanoseconds.
  std::function<std::uint32_t(std::uint64_t time)> time_of = {};

  static constexpr std::size_t most_keys = MemorySums::most_keys;  // keys of one table
};

// Sums of the accesses of one or several recordings.
struct MemoryTotals {
  // `other`: sums with the same tables and texts, and lines of the same size.
  void add(MemoryTotals&& other) {
    sums.add(std::move(other.sums));
    lines.add(std::move(other.lines));
  }

  MemorySums sums;
  CacheLines lines;
  SummedAccesses accesses = {};  // of one recording
};

class MemoryCollector {
 public:
  // Only samples that `filter` keeps are counted. All arguments must live as long as the collector. `texts`: the frames
  // of `profile`.
  MemoryCollector(reader::Recording& recording, symbolize::Symbolizer& symbolizer, Profile& profile,
                  MemoryOptions options, const filter::Filter& filter);

  // Visits the recording once, with `threads` threads. Throws UsageError if the filter does not fit the recording. The
  // result does not depend on the number of threads.
  MemoryTotals collect(unsigned threads);
  // Sets the names of the first lines, as far as they belong to this recording.
  void describe(CacheLines& lines);

  const MemoryNodes& nodes() const { return nodes_; }
  const CodeVersions& code_versions() const { return code_versions_; }

 private:
  struct Share;
  class Worker;

  MemorySums new_sums() const { return {options_.tables, profile_.frames()}; }

  reader::Recording& recording_;
  symbolize::Symbolizer& symbolizer_;
  Profile& profile_;
  const MemoryOptions options_;
  RecordingFilter filter_;
  FrameNamer namer_;
  const CodeVersions code_versions_;
  UnwindOptions unwind_;
  const MemoryNodes nodes_;
  const std::uint64_t line_size_;
  std::mutex mutex_;
};

}  // namespace perfsift::analysis
