// Text that several threads make, written to one place in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "output/files/output_file.h"
#include "output/text.h"

namespace perfsift::output {

// Writes pieces in the order of their numbers, although they are finished in any order. The thread that adds the next
// piece writes it, and all waiting pieces behind it, while the other threads go on. Thread-safe.
class OrderedPieces {
 public:
  using Sink = std::function<void(std::string_view text)>;

  explicit OrderedPieces(Sink sink) : sink_(std::move(sink)) {}
  explicit OrderedPieces(OutputFile& out) : OrderedPieces([&out](std::string_view text) { out.write(text); }) {}

  // Memory for a piece.
  Text empty() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    Text text = std::move(spare_.back());
    spare_.pop_back();
    text.resize(0);
    return text;
  }

  // Numbers begin with 0. Blocks while too many pieces wait for an earlier one.
  void add(std::size_t number, Text piece) {
    std::unique_lock lock(mutex_);
    written_.wait(lock, [&] { return number < next_ + most_waiting; });
    waiting_.emplace(number, std::move(piece));
    if (writing_) return;
    writing_ = true;
    for (auto next = waiting_.find(next_); next != waiting_.end(); next = waiting_.find(next_)) {
      Text text = std::move(waiting_.extract(next).mapped());
      lock.unlock();
      write(text.view());
      lock.lock();
      spare_.push_back(std::move(text));
      ++next_;
      written_.notify_all();
    }
    writing_ = false;
  }

  // Must be called after the last add(). Throws the exception of a failed write.
  void finish() const {
    if (failed_) std::rethrow_exception(failed_);
  }

 private:
  static constexpr std::size_t most_waiting = 16;

  void write(std::string_view text) {
    if (failed_) return;
    try {
      sink_(text);
    } catch (...) {
      failed_ = std::current_exception();
    }
  }

  const Sink sink_;
  std::exception_ptr failed_;  // of the thread that writes
  std::mutex mutex_;
  std::condition_variable written_;
  std::map<std::size_t, Text> waiting_;
  std::vector<Text> spare_;
  std::size_t next_ = 0;  // the piece to be written next
  bool writing_ = false;
};

}  // namespace perfsift::output
