// Turns the samples of a recording into the stacks of a Profile.
//
// A recording has many samples, fewer distinct callchains, and few distinct addresses. Most callchains differ only in
// their leaf, the instruction that ran. So a worker counts leaves on top of equal callers. It names each leaf at once,
// through a table of known addresses. The frames of callers are named once for all samples with these callers. Stacks
// with equal text but different addresses are joined when they are written.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "analysis/collect/collect_counts.h"
#include "analysis/collect/stack_ends.h"
#include "analysis/profile/profile.h"
#include "analysis/profile/time_span.h"
#include "analysis/samples/code_versions.h"
#include "analysis/samples/frame_namer.h"
#include "analysis/samples/sample_filter.h"
#include "analysis/samples/stack_builder.h"
#include "analysis/samples/stack_options.h"
#include "analysis/samples/thread_cgroups.h"
#include "analysis/table/table_builder.h"
#include "reader/recording.h"

namespace perfsift::analysis {

class StackShare;

// Collects all samples of one recording.
class StackCollector {
 public:
  // `keep`: gives the name under which an event is counted, or nothing to leave out its samples. `filter` decides which
  // of the remaining samples are counted. All arguments must live as long as the collector.
  using KeepEvent = std::function<std::optional<std::string>(const reader::Event&)>;
  StackCollector(reader::Recording& recording, symbolize::Symbolizer& symbolizer, Profile& profile,
                 StackOptions options, KeepEvent keep, const filter::Filter& filter);

  // Makes kept samples rows, too, at the end of collect(). `rows` must live as long as the collector. Rows contain the
  // numbers of stacks, so nothing may be added to earlier lists of the profile later.
  void add_rows_to(TableBuilder& rows) { rows_ = &rows; }

  // Visits the recording with `threads` threads. Throws UsageError if the filter does not fit the recording.
  void collect(unsigned threads);

  const CollectCounts& counts() const { return counts_; }
  const std::vector<CodeRemark>& remarks() const { return namer_.remarks(); }
  const StackEnds& ends() const { return ends_; }
  // The time range of the samples that became rows.
  const TimeSpan& sampled_time() const { return sampled_time_; }
  const CodeVersions& code_versions() const { return code_versions_; }

 private:
  class Worker;
  void add_stacks(std::deque<StackShare>& shares, unsigned threads) const;
  Grain grain() const;
  void add_rows(std::deque<StackShare>& shares, unsigned threads);
  void add_samples(std::deque<StackShare>& shares, unsigned threads) const;
  void add_sums(const std::deque<StackShare>& shares, unsigned threads) const;
  void name_process(std::int32_t pid) const;

  reader::Recording& recording_;
  Profile& profile_;
  const StackOptions options_;
  KeepEvent keep_;
  RecordingFilter filter_;
  FrameNamer namer_;
  std::optional<InterruptFrames> interrupt_frames_;  // set if interrupts are shown separately
  StackEnds ends_;
  const CodeVersions code_versions_;
  UnwindOptions unwind_;
  ThreadCgroups thread_cgroups_;
  std::mutex mutex_;
  CollectCounts counts_;
  TimeSpan sampled_time_;
  TableBuilder* rows_ = nullptr;  // nullptr: no rows are wanted
};

}  // namespace perfsift::analysis
