// A queue of work with a thread of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace perfsift::tools {

// Does work one after the other, on a thread of its own.
// Work that has not begun at the end is dropped. Thread-safe.
class WorkQueue {
 public:
  WorkQueue();
  ~WorkQueue();
  void add(std::function<void()> work);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace perfsift::tools
