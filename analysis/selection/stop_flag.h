// Ends long computations whose result nobody waits for any more.
#pragma once

#include <atomic>
#include <stdexcept>

namespace perfsift::analysis {

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

}  // namespace perfsift::analysis
