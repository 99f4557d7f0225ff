// Adds up the waits of a recording.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "analysis/offcpu/consumer.h"
#include "analysis/offcpu/interval_facts.h"
#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/recording_names.h"
#include "analysis/offcpu/scheduler.h"
#include "analysis/offcpu/stack_table.h"
#include "analysis/offcpu/summed_waits.h"
#include "analysis/samples/code_versions.h"
#include "base/recent_map.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::offcpu {

// Whether a recording has switches between threads, or waits that were measured in the kernel.
bool records_waits(const reader::Recording& recording);

// Not thread-safe. All constructor arguments must live longer.
class WaitCollector : private Consumer {
 public:
  // The seconds in which an interval counts that ended at this time of the recording, in nanoseconds.
  using TimeOf = std::function<std::uint32_t(std::uint64_t time)>;
  WaitCollector(reader::Recording& recording, symbolize::Symbolizer& symbolizer, const analysis::FrameStyle& style,
                TimeOf time_of);

  // Visits the recording, which must not be streamed if it was visited before.
  void collect();
  // After collect(): why the recording shows no waits; nothing if it shows some.
  std::optional<std::string> nothing_to_say() const;
  // After collect(). `frames` gets the frames of the stacks.
  SummedWaits sums(analysis::FrameTable& frames);

 private:
  struct Key {
    StackId stack = no_stack;
    ThreadNumber thread = no_thread;  // set where there is no stack
    std::uint64_t cgroup = 0;
    std::uint32_t time = 0;
    std::uint32_t state = 0;
    StackOrigin origin = StackOrigin::none;
    bool woken = false;
    const char* cut = nullptr;  // of cut_of()
    std::uint32_t blocked_bucket = 0, run_queue_bucket = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  void interval(const Interval& interval) override;
  std::uint64_t kinds_of(const Key& key);
  std::vector<analysis::FrameId> frames_of(StackId stack, analysis::FrameTable& frames);

  reader::Recording& recording_;
  const TimeOf time_of_;
  const analysis::CodeVersions versions_;
  Scheduler scheduler_;
  StackTable stacks_;
  RecordingNames names_;
  IntervalFacts facts_;
  RecordingFeed feed_;
  RecentMap<Key, IntervalSums, KeyHash> sums_;
  std::uint64_t whole_intervals_ = 0;
};

}  // namespace perfsift::offcpu
