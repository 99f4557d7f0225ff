/// \file
/// Time off the CPU: where threads waited, for what and for whom.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perfsift/export.h>
#include <perfsift/recording.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
struct OffCpuState;
}  // namespace detail

/// Which intervals are kept, and how stacks are named.
struct OffCpuOptions {
  Filter filter = {};                         ///< Filter::of_intervals(). Default: all.
  std::optional<Symbolizer> symbolizer = {};  ///< Who names addresses. Default: the recording's own.
  bool inlines = true;                        ///< Inlined calls as frames of their own.
};

/// A stretch during which a thread was off its CPU: a view that is valid until the function that got it returns. Times
/// are nanoseconds; `start` and `end` are of the event clock.
struct OffCpuInterval {
  std::int32_t pid = -1;          ///< The process; -1: unknown.
  std::int32_t tid = -1;          ///< The thread.
  std::string_view comm;          ///< The thread's name.
  std::uint64_t start = 0;        ///< The thread left its CPU.
  std::uint64_t end = 0;          ///< The thread is on a CPU again, or the recording ends.
  std::uint64_t blocked = 0;      ///< Until it was woken.
  std::uint64_t run_queue = 0;    ///< Ready to run. `blocked`, `run_queue` and `unknown` are all of the interval.
  std::uint64_t unknown = 0;      ///< Records were lost: the thread may have run meanwhile.
  bool complete = false;          ///< Both ends were seen, and nothing between them was lost.
  char state = '?';               ///< At the switch, as ps shows it: 'S', 'D', 'R', …; '?': unknown.
  std::string_view wait;          ///< The kind of wait, as in perfsift-filter(7): "futex", "io"; empty: unknown.
  std::int32_t cpu_left = -1;     ///< -1: unknown.
  std::int32_t cpu_entered = -1;  ///< -1: unknown.
  std::int32_t waker_tid = -1;    ///< The thread that woke it; -1: unknown.
  std::span<const std::string_view> stack;  ///< The functions at the switch, leaf first; empty: not recorded.
};

/// The sums of intervals. Nanoseconds.
struct OffCpuSums {
  std::uint64_t intervals = 0;  ///< Number of intervals.
  std::uint64_t blocked = 0;    ///< Time blocked.
  std::uint64_t run_queue = 0;  ///< Time ready to run.
  std::uint64_t unknown = 0;    ///< Time in which records were lost.
  std::uint64_t longest = 0;    ///< The longest interval.
};

/// A thread and its times. Nanoseconds.
struct OffCpuThread {
  std::int32_t pid = -1;       ///< The process; -1: unknown.
  std::int32_t tid = -1;       ///< The thread.
  std::string comm;            ///< Its latest name.
  std::uint64_t run = 0;       ///< Time on a CPU, independent of the filter.
  std::uint64_t switches = 0;  ///< Switches off a CPU, independent of the filter.
  OffCpuSums off_cpu;          ///< The intervals that the filter keeps.
};

/// The intervals of all threads, from the tracepoints sched:sched_switch and sched:sched_waking, or the switch records
/// of perf record --switch-events.
///
/// Thread-safety: immutable once made. Copies share their contents.
class PERFSIFT_API OffCpu {
 public:
  /// Gets an interval. Exceptions end the visit and pass through unchanged.
  using IntervalFunction = std::function<void(const OffCpuInterval& interval)>;

  /// Reads the recording, and calls `visit`, if there is one, for each kept interval in the order of their ends. Throws
  /// Error: input, if the recording has no switches (the text says how to record them); usage, for a filter of samples;
  /// what Recording::for_each_sample() throws.
  explicit OffCpu(Recording& recording, const OffCpuOptions& options = {}, const IntervalFunction& visit = nullptr);
  OffCpu(const OffCpu&);             ///< Shares the contents.
  OffCpu& operator=(const OffCpu&);  ///< Shares the contents.
  ~OffCpu();                         ///< Never throws.

  /// The kept intervals of all threads.
  const OffCpuSums& sums() const noexcept;
  /// All threads that the recording shows, in the order of their first events. Live as long as the object.
  const std::vector<OffCpuThread>& threads() const noexcept;
  /// The kept intervals by stack, in microseconds: what `perfsift offcpu --output` writes. Lives as long as the object.
  const std::string& folded() const noexcept;

 private:
  std::shared_ptr<const detail::OffCpuState> state_;
};

}  // namespace PERFSIFT_NAMESPACE
