// Lets threads do a part of their work in the order of their tasks, although each works on its own task.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace perfsift::tools {

// Each task waits for its turn, passes the turn on, and finishes later. Tasks must begin in their order, as in
// share_work(). Thread-safe.
class Turns {
 public:
  // Waits until all earlier tasks have passed on their turns. Returns false if a task has failed.
  bool wait_for(std::size_t task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || passed_ == task; });
    return !failed_;
  }
  // Waits until all earlier tasks have also finished.
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
  // Ends all waits, because a task has failed.
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
