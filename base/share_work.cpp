#include "base/share_work.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace perfsift {

void share_work(unsigned threads, std::size_t tasks, const std::function<void(unsigned worker, Tasks& tasks)>& work) {
  Tasks open(tasks);
  std::mutex mutex;
  std::exception_ptr first;
  const auto run = [&](unsigned worker) {
    try {
      work(worker, open);
    } catch (...) {
      open.fail();
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned worker = 1; worker < threads; ++worker) others.emplace_back(run, worker);
    run(0);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace perfsift
