// How often snapshots are written: a condition that is always true must not fill the disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

namespace perfsift::record {

// At most `most` snapshots in any minute. Not thread-safe.
class SnapshotLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit SnapshotLimit(unsigned most) : most_(most) {}

  // Whether a snapshot may be written now; counts both answers.
  bool admits(Time now) {
    while (!written_.empty() && now - written_.front() >= std::chrono::minutes(1)) written_.pop_front();
    if (written_.size() >= most_) return ++refused_, false;
    written_.push_back(now);
    return true;
  }

  unsigned most() const { return most_; }
  std::uint64_t refused() const { return refused_; }

 private:
  const unsigned most_;
  std::deque<Time> written_;
  std::uint64_t refused_ = 0;
};

}  // namespace perfsift::record
