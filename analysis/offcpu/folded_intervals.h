// Folded stacks of the time off the CPU, as bcc's offcputime -f and offwaketime write them.
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
  std::optional<std::string> delimiter;  // a frame between the user's and the kernel's part
  bool waker = false;                    // the waker's stack behind it, leaf first, and the waker's name
  // The last frames: the state at the switch, how the thread waited, and its cgroup.
  bool state = false;
  bool wait = false;
  bool cgroup = false;
  // The time in the run queue as stacks of its own with a last frame, and what is unknown of a thread as one: all that
  // there is, with RunningStacks.
  bool parts = false;
};

// Frames that say what a stack's time was.
inline constexpr const char* run_queue_frame = "[run queue]";
inline constexpr const char* unknown_frame = "[unknown: switches are missing]";
inline constexpr const char* no_stack_frame = "[no stack]";

class FoldedIntervals : public Consumer {
 public:
  // The waits must live as long.
  FoldedIntervals(FoldedIntervalsOptions options, WaitKinds& waits) : options_(std::move(options)), waits_(waits) {}

  // Whether the groups of all intervals are enough, so that add() replaces interval() and sum().
  static bool needs_only_groups(const FoldedIntervalsOptions& options) {
    return !options.waker && !options.state && !options.cgroup && !options.parts;
  }
  void add(std::span<const IntervalGroup* const> groups);

  void interval(const Interval& interval) override;
  void sum(const OffCpuSum& sum) override;

  // Nanoseconds in all stacks but those of unknown time.
  std::uint64_t total(const std::vector<bool>& kept) const;
  // The stacks, each with its time. `kept`, by ThreadNumber: with `parts`, which threads are told of. A thread may have
  // had another name when an interval ended.
  void fill(analysis::Profile& profile, Names& names, const std::vector<bool>& kept) const;

 private:
  enum class Part : std::uint8_t { off, run_queue };
  struct Key {
    StackId stack = no_stack;
    ThreadNumber thread = no_thread;  // where there is no stack, and with `parts`
    StackId waker_stack = no_stack;
    ThreadNumber waker = no_thread;
    std::uint64_t cgroup = 0;
    std::uint64_t wait = 0;  // the kind that tells most
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

// The frames of a stack, root first, below the name of its thread.
void append_stack(std::vector<analysis::FrameId>& frames, Names& names, analysis::FrameTable& table, StackId stack,
                  const std::string& comm, const std::optional<std::string>& delimiter);

}  // namespace perfsift::offcpu
