// Folded stacks of off-CPU time, in the form of bcc's offcputime -f and offwaketime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/offcpu/consumer.h"
#include "analysis/offcpu/interval_groups.h"
#include "analysis/offcpu/names.h"
#include "analysis/offcpu/wait_kinds.h"
#include "analysis/profile/profile.h"
#include "base/recent_map.h"

namespace perfsift::offcpu {

enum class FoldedUnit : std::uint8_t { microseconds, nanoseconds, count };

struct FoldedIntervalsOptions {
  FoldedUnit unit = FoldedUnit::microseconds;
  std::optional<std::string> delimiter;  // a frame between the user and the kernel part
  bool waker = false;                    // append the waker's stack, leaf first, and the waker's name
  // Append frames: the state at the switch, the kind of wait, and the cgroup.
  bool state = false;
  bool wait = false;
  bool cgroup = false;
  // Run-queue time as separate stacks with a last frame, and a thread's unknown time as one stack: together with
  // RunningStacks this is all the time of a thread.
  bool parts = false;
};

// Frames that mark the kind of a stack's time.
inline constexpr const char* run_queue_frame = "[run queue]";
inline constexpr const char* unknown_frame = "[unknown: switches are missing]";
inline constexpr const char* no_stack_frame = "[no stack]";

class FoldedIntervals : public Consumer {
 public:
  // `waits` must live as long as this object.
  FoldedIntervals(FoldedIntervalsOptions options, WaitKinds& waits) : options_(std::move(options)), waits_(waits) {}

  // Whether groups of intervals suffice, so that add() replaces interval() and sum().
  static bool needs_only_groups(const FoldedIntervalsOptions& options) {
    return !options.waker && !options.state && !options.cgroup && !options.parts;
  }
  void add(std::span<const IntervalGroup* const> groups);

  void interval(const Interval& interval) override;
  void sum(const OffCpuSum& sum) override;

  // The total of all stacks in nanoseconds, without unknown time.
  std::uint64_t total(const std::vector<bool>& kept) const;
  // Adds the stacks with their times to `profile`. `kept`, by ThreadNumber: with `parts`, the threads to include. A
  // thread may have had another name when an interval ended.
  void fill(analysis::Profile& profile, Names& names, const std::vector<bool>& kept) const;

 private:
  enum class Part : std::uint8_t { off, run_queue };
  struct Key {
    StackId stack = no_stack;
    ThreadNumber thread = no_thread;  // set where there is no stack, and with `parts`
    StackId waker_stack = no_stack;
    ThreadNumber waker = no_thread;
    std::uint64_t cgroup = 0;
    std::uint64_t wait = 0;  // the most specific kind
    char state = 0;
    Part part = Part::off;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Sum {
    std::uint64_t time = 0;
    std::uint64_t count = 0;
  };

  void add(Key key, Part part, std::uint64_t time, std::uint64_t count);
  bool is_told(const Key& key, const std::vector<bool>& kept) const;
  std::vector<analysis::FrameId> frames_of(const Key& key, Names& names, analysis::FrameTable& table) const;
  std::uint64_t value_of(const Sum& sum) const;
  void fill_unknown(analysis::StackList& list, analysis::Profile& profile, Names& names,
                    const std::vector<bool>& kept) const;

  const FoldedIntervalsOptions options_;
  WaitKinds& waits_;
  RecentMap<Key, Sum, KeyHash> sums_;
};

// Appends the frames of a stack, root first, after the name of its thread.
void append_stack(std::vector<analysis::FrameId>& frames, Names& names, analysis::FrameTable& table, StackId stack,
                  const std::string& comm, const std::optional<std::string>& delimiter);

}  // namespace perfsift::offcpu
