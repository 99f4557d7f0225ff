// From a recording to what the scheduler did.
//
// Three sources tell of it: tracepoints (sched:*), SWITCH records (perf record --switch-events), and sums that BPF made
// (perf record --off-cpu). Tracepoints tell more, so where there are both, SWITCH records only fill what they leave
// out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/offcpu/raw_field.h"
#include "analysis/offcpu/scheduler.h"
#include "analysis/offcpu/stack_table.h"
#include "analysis/samples/call_stack.h"
#include "analysis/samples/code_versions.h"
#include "reader/recording.h"

namespace perfsift::offcpu {

// A sample of an event that is not about switches.
struct OtherSample {
  std::uint64_t time = 0;
  std::int32_t cpu = -1;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  const reader::Event* event = nullptr;
  StackId stack = no_stack;
};

// Time off a CPU that BPF measured: offcpu-time of perf record --off-cpu.
struct OffCpuSum {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t time = 0;  // nanoseconds
  StackId stack = no_stack;
  bool single = false;  // one interval, and not the sum of many
};

class FeedListener {
 public:
  virtual ~FeedListener() = default;
  virtual void sample(const OtherSample& /*sample*/) {}
  virtual void sum(const OffCpuSum& /*sum*/) {}
  // After each record and sample.
  virtual void moment(std::uint64_t /*time*/) {}
};

// What a recording tells of switches with.
struct FeedSources {
  bool switches = false;        // sched:sched_switch
  bool wakeups = false;         // sched:sched_waking or sched:sched_wakeup
  bool switch_records = false;  // SWITCH, SWITCH_CPU_WIDE
  bool sums = false;            // offcpu-time
  bool only_some = false;       // it is of some processes: what others did is told in part, and left out
};

struct FeedOptions {
  bool waker_stacks = false;
  bool other_samples = false;  // FeedListener::sample() is of use
};

// Not thread-safe. Everything it is given must live as long.
class RecordingFeed : public reader::OrderedVisitor {
 public:
  RecordingFeed(const reader::Recording& recording, const analysis::UnwindOptions& unwind,
                const analysis::CodeVersions& versions, FeedOptions options, Scheduler& scheduler, StackTable& stacks,
                FeedListener& listener);

  void sample(const reader::Sample& sample) override;
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override;

  const FeedSources& sources() const { return sources_; }
  // Samples of tracepoints that could not be read: their format is missing, or they are too short for it.
  std::uint64_t unreadable() const { return unreadable_; }
  // The stacks are forgotten: none that was handed out before is referred to again.
  void forget_stacks() { last_stacks_.clear(); }

 private:
  enum class Kind : std::uint8_t {
    other,
    ignored,
    switch_,
    wakeup,
    wakeup_new,
    stat_wait,
    stat_sleep,
    stat_runtime,
    fork,
    exec,
    off_cpu_sum,
  };
  struct EventKind {
    Kind kind = Kind::other;
    std::array<RawField, 3> fields;
  };
  struct alignas(64) Identity {  // in one cache line
    bool valid = false;
    std::int32_t tid = 0;
    reader::ThreadState state;
  };

  const EventKind& kind_of(const reader::Event& event);
  EventKind find_kind(const reader::Event& event) const;
  void learn_about_recording();
  bool is_foreign(std::int32_t tid) const { return sources_.only_some && scheduler_.thread_of(tid) == no_thread; }
  bool has_tracepoint(std::string_view name) const;

  const reader::ThreadState& identity(std::int32_t pid, std::int32_t tid, reader::Moment moment);
  StackId stack_of(const reader::Sample& sample);
  StackOwner owner_of(const reader::ThreadState& state, std::int32_t tid, reader::CpuMode mode, std::uint64_t time);

  bool take(const reader::Sample& sample, const EventKind& kind);
  bool take_switch(const reader::Sample& sample, const EventKind& kind);
  bool take_wakeup(const reader::Sample& sample, const EventKind& kind);
  bool take_statistic(const reader::Sample& sample, const EventKind& kind);
  bool take_task(const reader::Sample& sample, const EventKind& kind);
  void take_sum(const reader::Sample& sample);
  void take_other(const reader::Sample& sample);
  void take_switch_record(const reader::Record& record, const reader::SampleId& id, std::uint64_t time);

  const reader::Recording& recording_;
  const reader::Timeline& timeline_;
  const bool streamed_;
  const FeedOptions options_;
  Scheduler& scheduler_;
  StackTable& stacks_;
  FeedListener& listener_;
  analysis::CodeVersionFinder code_versions_;
  analysis::CallStack call_stack_;
  FeedSources sources_;
  std::vector<std::optional<EventKind>> kinds_;            // by Event::index
  std::array<Identity, 1024> identities_;                  // the threads seen last, by tid
  std::unordered_map<std::int32_t, StackId> last_stacks_;  // by tid; only where SWITCH records lead
  std::uint64_t unreadable_ = 0;
};

}  // namespace perfsift::offcpu
