// Many tasks on a few threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>

namespace perfsift {

// The tasks 0 … count - 1 of a job, each of which one thread takes; those with lower numbers begin first. Thread-safe.
class Tasks {
 public:
  explicit Tasks(std::size_t count) : count_(count) {}

  // Nothing when all have been taken, or the job has failed.
  std::optional<std::size_t> next() {
    const std::size_t task = next_++;
    return task < count_ && !failed_ ? std::optional(task) : std::nullopt;
  }
  void fail() { failed_ = true; }

 private:
  const std::size_t count_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
};

// Calls `work` on so many threads, as worker 0 on the calling one, and returns when all of them have. When one throws,
// no more tasks are taken, and the first exception is thrown again here.
void share_work(unsigned threads, std::size_t tasks, const std::function<void(unsigned worker, Tasks& tasks)>& work);

}  // namespace perfsift
