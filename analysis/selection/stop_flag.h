// Stops long computations if nobody needs their result any longer.
#pragma once

#include <atomic>
#include <stdexcept>

namespace perfsift::analysis {

// Thrown by a computation after StopFlag::stop().
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

// Asks long computations to stop. Thread-safe.
class StopFlag {
 public:
  void stop() { stopped_ = true; }
  void check() const {
    if (stopped_) throw Stopped();
  }

 private:
  std::atomic<bool> stopped_ = false;
};

}  // namespace perfsift::analysis
