// The times of a recording's rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "analysis/profile/time_span.h"
#include "base/duration.h"

namespace perfsift::store {

// The seconds that a row of samples stands for.
inline constexpr std::uint32_t seconds_of_row = 10;

class RowTimes {
 public:
  // `began`: nanoseconds since 1970. `offset`: what is added to times of the recording for nanoseconds since 1970.
  // `sampled`: the times of its samples.
  RowTimes(std::uint64_t began, std::int64_t offset, const analysis::TimeSpan& sampled)
      : offset_(static_cast<std::uint64_t>(offset)),
        began_(row_of(began)),
        usable_(!sampled.empty() && sampled.length() < longest_recording) {}

  // In seconds since 1970. `time`: of the recording, in nanoseconds.
  std::uint32_t of(std::uint64_t time) const {
    return time == reader::no_time || !usable_ ? began_ : row_of(time + offset_);
  }
  std::uint32_t of_recording() const { return began_; }

 private:
  // Samples of one recording that are further apart have a damaged clock. They get the time of the recording.
  static constexpr std::uint64_t longest_recording = 400 * 86'400 * one_second;

  static std::uint32_t row_of(std::uint64_t nanoseconds) {
    constexpr std::uint64_t last = std::numeric_limits<std::uint32_t>::max() / seconds_of_row * seconds_of_row;
    return static_cast<std::uint32_t>(std::min(nanoseconds / one_second / seconds_of_row * seconds_of_row, last));
  }

  const std::uint64_t offset_;
  const std::uint32_t began_;
  const bool usable_;
};

}  // namespace perfsift::store
