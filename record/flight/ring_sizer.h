// How large overwritten rings must be to hold the samples of some seconds: by the rate at which they are written.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "record/rings/record_sink.h"

namespace perfsift::record {

// Not thread-safe.
class RingSizer {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `window`: the time that rings shall hold. `most`: bytes of all rings together; 0: sizes are only judged.
  RingSizer(std::chrono::nanoseconds window, std::size_t most) : window_(window), most_(most) {}

  // Called with what the rings have now and then. The size that each ring shall have, a power of two, if that is more
  // than it has. The rate is that of the fullest ring, between two looks that are at least half a second apart.
  std::optional<std::size_t> look(Time now, const std::vector<RingFill>& fills);
  // Must be called after the size of the rings has changed, because they count from 0 again.
  void forget() {
    last_.reset();
    held_.reset();
  }

  // The time that the rings hold at the highest rate of the last look. Nothing: unknown, or without end.
  std::optional<std::chrono::nanoseconds> held() const { return held_; }
  bool holds_window() const { return !held_ || *held_ >= window_; }

 private:
  struct Look {
    Time time;
    std::map<std::size_t, std::uint64_t> written;
  };

  std::size_t affordable(std::size_t rings) const;

  const std::chrono::nanoseconds window_;
  const std::size_t most_;
  std::optional<Look> last_;
  std::optional<std::chrono::nanoseconds> held_;
};

}  // namespace perfsift::record
