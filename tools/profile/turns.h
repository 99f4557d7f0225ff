// What threads do in the order of their tasks, although each works on a task of its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace perfsift::tools {

// Each task waits for its turn, passes the turn on, and finishes later. Tasks must begin in their order, as those of
// share_work() do. Thread-safe.
class Turns {
 public:
  // Waits until all tasks before this one have passed on their turns. False: one has failed.
  bool wait_for(std::size_t task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || passed_ == task; });
    return !failed_;
  }
  // Waits until all tasks before this one have also finished.
  bool wait_for_all_before(std::size_t task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || (passed_ == task && finished_ == task); });
    return !failed_;
  }
  void pass() {
    change([&] { ++passed_; });
  }
  void finish() {
    change([&] { ++finished_; });
  }
  // Nothing waits any more.
  void fail() {
    change([&] { failed_ = true; });
  }

 private:
  template <typename Change>
  void change(Change&& change) {
    const std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t passed_ = 0, finished_ = 0;
  bool failed_ = false;
};

}  // namespace perfsift::tools
