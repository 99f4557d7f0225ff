// Distributes many tasks over a few threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>

namespace perfsift {

// The tasks 0 … count - 1 of a job. Each task goes to one thread; tasks with lower numbers begin first. Thread-safe.
class Tasks {
 public:
  explicit Tasks(std::size_t count) : count_(count) {}

  // The next task; nothing when all tasks have been taken or the job has failed.
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

// Calls `work` on `threads` threads, as worker 0 on the calling thread, and returns when all calls have returned. If a
// call throws, no more tasks are taken, and the first exception is rethrown here.
void share_work(unsigned threads, std::size_t tasks, const std::function<void(unsigned worker, Tasks& tasks)>& work);

// share_work() without a state for each thread: calls work(task) for every task.
template <typename Work>
void for_each_task(unsigned threads, std::size_t count, Work&& work) {
  share_work(threads, count, [&](unsigned, Tasks& tasks) {
    while (const auto task = tasks.next()) work(*task);
  });
}

// Calls work(part, begin, end) for `parts` equal parts of `count` items, each on a thread.
template <typename Work>
void for_each_part(unsigned parts, std::size_t count, Work&& work) {
  for_each_task(parts, parts, [&](std::size_t part) { work(part, count * part / parts, count * (part + 1) / parts); });
}

}  // namespace perfsift
