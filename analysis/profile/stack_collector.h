// From the samples of a recording to the stacks of a Profile.
//
// A recording has many samples, fewer distinct callchains, and few distinct addresses. Most callchains differ in their
// leaf alone, the instruction that ran. So a worker counts leaves, which it names at once, through a table of addresses
// it has seen, on top of equal callers, as the numbers these are; the frames of callers are named once. Stacks that
// read the same although their addresses differ are joined when they are written.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "analysis/profile/stack_ends.h"
#include "analysis/samples/code_versions.h"
#include "analysis/samples/frame_namer.h"
#include "analysis/samples/sample_filter.h"
#include "analysis/samples/stack_options.h"
#include "analysis/samples/thread_cgroups.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// What was seen while stacks were collected: the quality of the profile. Counted in samples and their frames.
struct CollectCounts {
  std::uint64_t samples = 0;
  std::uint64_t without_stack = 0;  // of them: nothing was left to show (see StackPart)
  std::uint64_t callchains = 0;     // of them: with a callchain
  std::uint64_t truncated = 0;      // of them: the stack goes on where what was recorded of it ends
  std::uint64_t frames = 0;
  std::vector<std::uint64_t> unnamed;  // frames, by index into FrameNamer::unnamed_code()
  EndCounts ends;

  void add(const CollectCounts& other);
  void add_unnamed(std::uint32_t place, std::uint64_t frames);
};

// Collects all samples of one recording.
class StackCollector {
 public:
  // `keep`: the name under which an event is counted, or nothing to leave its samples out; of the others those are
  // counted that `filter` keeps. Everything must live as long as the collector.
  using KeepEvent = std::function<std::optional<std::string>(const reader::Event&)>;
  StackCollector(reader::Recording& recording, symbolize::Symbolizer& symbolizer, Profile& profile,
                 StackOptions options, KeepEvent keep, const filter::Filter& filter);

  // Visits the recording with so many threads. Throws UsageError where the filter does not fit the recording.
  void collect(unsigned threads);

  const CollectCounts& counts() const { return counts_; }
  const std::vector<UnnamedCode>& unnamed_code() const { return namer_.unnamed_code(); }
  const StackEnds& ends() const { return ends_; }
  const CodeVersions& code_versions() const { return code_versions_; }

 private:
  struct UnnamedFrames;
  struct Share;
  class Worker;

  void add_stacks(std::list<Share>& shares, unsigned threads) const;

  reader::Recording& recording_;
  Profile& profile_;
  const StackOptions options_;
  KeepEvent keep_;
  RecordingFilter filter_;
  FrameNamer namer_;
  StackEnds ends_;
  const CodeVersions code_versions_;
  UnwindOptions unwind_;
  ThreadCgroups thread_cgroups_;
  std::mutex mutex_;
  CollectCounts counts_;
};

}  // namespace perfsift::analysis
