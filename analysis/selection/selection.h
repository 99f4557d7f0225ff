// Samples selected by event, time, thread, CPU and filter, and how much they amount to.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "analysis/profile/amount.h"
#include "analysis/selection/sample_table.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

// Some rows of a SampleTable.
class RowSet {
 public:
  explicit RowSet(std::uint32_t rows) : bits_((std::size_t{rows} + 63) / 64) {}
  // Thread-safe.
  void add(std::uint32_t row) {
    std::atomic_ref(bits_[row / 64]).fetch_or(std::uint64_t{1} << row % 64, std::memory_order_relaxed);
  }
  bool has(std::uint32_t row) const { return (bits_[row / 64] >> row % 64 & 1) != 0; }

 private:
  LargeVector<std::uint64_t> bits_;
};

// The default selects all samples of an event.
struct Selection {
  static constexpr std::uint64_t end_of_time = std::numeric_limits<std::uint64_t>::max();

  EventId event = 0;
  std::uint64_t from = 0;  // nanoseconds
  std::uint64_t until =
      end_of_time;  // the first nanosecond behind; samples without a time are in no range but the whole
  std::optional<std::uint32_t> thread;  // index into SampleTable::threads()
  std::optional<std::uint32_t> cpu;     // index into SampleTable::cpus()
  const RowSet* kept = nullptr;         // nullptr: all

  bool is_all_times() const { return from == 0 && until == end_of_time; }
};

// Thrown by a computation that was told to stop.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

// Tells long computations to stop. Thread-safe.
class StopFlag {
 public:
  void stop() { stopped_ = true; }
  void check() const {
    if (stopped_) throw Stopped();
  }

 private:
  std::atomic<bool> stopped_ = false;
};

// The amounts of the selected samples by LeafId. Throws Stopped.
LargeVector<Amount> amounts_by_leaf(const SampleTable& table, const Selection& selection, const StopFlag& stop);

// What the lanes of a timeline stand for.
enum class LaneKind : std::uint8_t { all, thread, cpu };

// Equal parts of a stretch of time.
struct TimeBins {
  std::uint64_t from = 0;
  std::uint64_t width = 1;  // nanoseconds, not 0
  std::uint32_t count = 0;
};

// The selected samples over time: for each of `lanes` (threads or CPUs; one for all) one amount for each bin, lane
// after lane. The selection's range does not apply: a timeline shows what is around it. Throws Stopped.
LargeVector<Amount> amounts_over_time(const SampleTable& table, const Selection& selection, const TimeBins& bins,
                                      LaneKind kind, std::span<const std::uint32_t> lanes, const StopFlag& stop);

}  // namespace perfsift::analysis
