// Reads the scheduler's events from a recording.
//
// There are four sources: tracepoints (sched:*), SWITCH records (perf record --switch-events), sums made by BPF
// (perf record --off-cpu), and waits that perfsift itself has measured in the kernel. Tracepoints have more details, so
// if there are both, SWITCH records only fill gaps of the tracepoints.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/offcpu/measured_samples.h"
#include "analysis/offcpu/sched_feed.h"
#include "analysis/offcpu/stack_table.h"
#include "analysis/samples/call_stack.h"
#include "analysis/samples/code_versions.h"
#include "reader/recording.h"

namespace perfsift::offcpu {

// Not thread-safe. All constructor arguments must live as long as this object.
class RecordingFeed : public reader::OrderedVisitor, private SchedFeed<const reader::Sample> {
 public:
  RecordingFeed(const reader::Recording& recording, const analysis::UnwindOptions& unwind,
                const analysis::CodeVersions& versions, FeedOptions options, Scheduler& scheduler, StackTable& stacks,
                FeedListener& listener);

  void sample(const reader::Sample& sample) override;
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override;

  using SchedFeed::sources;
  // The number of tracepoint samples that could not be read: the format is missing, or the sample is too short for the
  // format.
  std::uint64_t unreadable() const { return unreadable_; }
  // Drops all StackIds handed out so far; none is used again.
  void forget_stacks() {
    last_stacks_.clear();
    measured_waker_ = {};
  }

 private:
  struct EventKind {
    SchedKind kind = SchedKind::other;
    SchedLayout layout;
    MeasuredLayout measured;
  };
  // The latest sample of perfsift:wait_waker, which stands in front of the wait that it ended.
  struct MeasuredWaker {
    std::int32_t woken_tid = -1;
    std::uint64_t time = 0;
    std::int32_t pid = -1, tid = -1, cpu = -1;
    std::uint32_t name = 0;
    StackId stack = no_stack;
  };
  struct alignas(64) Identity {  // fits into one cache line
    bool valid = false;
    std::int32_t tid = 0;
    reader::ThreadState state;
  };

  const EventKind& kind_of(const reader::Event& event);
  EventKind find_kind(const reader::Event& event) const;
  void learn_about_recording();
  bool has_tracepoint(std::string_view name) const;

  const reader::ThreadState& identity(std::int32_t pid, std::int32_t tid, reader::Moment moment);
  const reader::ThreadState& look_up(Identity& entry, std::int32_t pid, std::int32_t tid, reader::Moment moment) const;
  StackId stack_of(const reader::Sample& sample, const reader::ThreadState& thread);
  StackId stack_of(const reader::Sample& sample);
  StackOwner owner_of(const reader::ThreadState& state, std::int32_t tid, reader::CpuMode mode, std::uint64_t time);

  void complete(SwitchOut& out, const reader::Sample& sample) override;
  void complete(SwitchIn& in, const reader::Sample& sample) override;
  void complete(Wakeup& wakeup, const reader::Sample& sample) override;
  void complete(Birth& birth, const reader::Sample& sample) override;

  void take_measured(const MeasuredLayout& layout, const reader::Sample& sample);
  void take_measured_wait(const std::vector<std::uint64_t>& values, const reader::Sample& sample);
  void take_sum(const reader::Sample& sample);
  void take_other(const reader::Sample& sample);
  void take_switch_record(const reader::Record& record, const reader::SampleId& id, std::uint64_t time);

  const reader::Recording& recording_;
  const reader::Timeline& timeline_;
  const bool streamed_;
  const FeedOptions options_;
  StackTable& stacks_;
  FeedListener& listener_;
  analysis::CodeVersionFinder code_versions_;
  analysis::CallStack call_stack_;
  std::vector<std::optional<EventKind>> kinds_;            // by Event::index
  std::array<Identity, 1024> identities_;                  // recently seen threads, by tid
  std::unordered_map<std::int32_t, StackId> last_stacks_;  // by tid; only without sched_switch
  MeasuredWaker measured_waker_;
  std::uint64_t unreadable_ = 0;
};

}  // namespace perfsift::offcpu
