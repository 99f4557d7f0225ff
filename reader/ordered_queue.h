// Puts records into the order of their times, as perf does.
//
// perf record drains one ring buffer after the other, so a recording is a sequence of rounds. A round has one ascending
// run per CPU:
//
//   cpu0: 10 13 17 | cpu1: 11 12 18 | ROUND | cpu0: 19 25 | cpu1: 20 21 | ROUND
//
// After a FINISHED_ROUND no record can come that is older than the newest time of the round *before*. So the records up
// to that time are delivered: a merge of the runs. (ordered_events__queue(), do_flush() in
// tools/perf/util/ordered-events.c)
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace perfsift::reader {

// A waiting record: its time, its position, and where its bytes are.
struct QueueEntry {
  std::uint64_t time = 0;
  std::uint64_t position = 0;
  const std::byte* at = nullptr;
};

// Not thread-safe. Records with equal times leave in the order of their positions, which must ascend from call to call.
class OrderedQueue {
 public:
  // Returns false when the record comes too late: newer records have already been delivered. perf counts such a record
  // as out of order, and delivers it next.
  bool push(const QueueEntry& entry) {
    if (empty() || entry.time >= newest_queued_) max_time_ = newest_queued_ = entry.time;
    run_for(entry.time).entries.push_back(entry);
    ++size_;
    return entry.time >= last_delivered_;
  }

  // Called at a FINISHED_ROUND record.
  template <typename Deliver>
  void finish_round(Deliver&& deliver) {
    deliver_until(next_limit_, deliver);
    delivered_ = std::max(delivered_, next_limit_);
    next_limit_ = max_time_;
  }

  template <typename Deliver>
  void finish(Deliver&& deliver) {
    deliver_until(std::numeric_limits<std::uint64_t>::max(), deliver);
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // Records up to this time that had come by the last FINISHED_ROUND have been delivered.
  std::uint64_t delivered() const { return delivered_; }

 private:
  struct Run {
    std::vector<QueueEntry> entries;
    std::size_t next = 0;
    const QueueEntry& head() const { return entries[next]; }
    bool done() const { return next == entries.size(); }
    std::uint64_t last_time() const { return entries.back().time; }
  };

  // The first run whose last time is not above `time`. The last times of the runs thus stay strictly descending, and
  // binary search finds a run however many runs hostile input makes.
  Run& run_for(std::uint64_t time) {
    // Nearly always the run of the record before, which came from the same ring buffer.
    if (latest_ < runs_.size() && runs_[latest_].last_time() <= time &&
        (latest_ == 0 || runs_[latest_ - 1].last_time() > time)) {
      return runs_[latest_];
    }
    const auto found =
        std::partition_point(runs_.begin(), runs_.end(), [&](const Run& run) { return run.last_time() > time; });
    latest_ = static_cast<std::size_t>(found - runs_.begin());
    return found == runs_.end() ? runs_.emplace_back(take_spare()) : *found;
  }

  Run take_spare() {
    if (spare_.empty()) return {};
    Run run = std::move(spare_.back());
    spare_.pop_back();
    return run;
  }

  static bool before(const QueueEntry& a, const QueueEntry& b) {
    return a.time != b.time ? a.time < b.time : a.position < b.position;
  }
  static bool later(const Run* a, const Run* b) { return before(b->head(), a->head()); }

  template <typename Deliver>
  void deliver_until(std::uint64_t limit, Deliver&& deliver) {
    std::vector<Run*> heap;
    for (Run& run : runs_) {
      if (run.head().time <= limit) heap.push_back(&run);
    }
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), later);
      Run& run = *heap.back();
      // Delivers this run up to the limit, or up to the head of another run.
      QueueEntry end{.time = limit, .position = std::numeric_limits<std::uint64_t>::max()};
      if (heap.size() > 1 && before(heap.front()->head(), end)) end = heap.front()->head();
      do {
        const QueueEntry entry = run.head();
        ++run.next;
        --size_;
        last_delivered_ = entry.time;
        deliver(entry);
      } while (!run.done() && !before(end, run.head()));
      if (run.done() || run.head().time > limit) {
        heap.pop_back();
      } else {
        std::push_heap(heap.begin(), heap.end(), later);
      }
    }
    drop_delivered();
  }

  // The memory of delivered runs is used again for new runs: a round may be megabytes of entries, and the kernel would
  // clear each page of new memory. Hostile input makes many runs at once; only some of their memory is kept.
  void drop_delivered() {
    for (Run& run : runs_) {
      if (!run.done() || spare_.size() == most_spare) continue;
      spare_.push_back({.entries = std::move(run.entries)});
      spare_.back().entries.clear();
      run = {};
    }
    std::erase_if(runs_, [](const Run& run) { return run.done(); });
    for (Run& run : runs_) {
      run.entries.erase(run.entries.begin(), run.entries.begin() + static_cast<std::ptrdiff_t>(run.next));
      run.next = 0;
    }
    newest_queued_ = runs_.empty() ? 0 : runs_.front().last_time();
    latest_ = 0;
  }

  static constexpr std::size_t most_spare = 64;

  std::vector<Run> runs_;
  std::vector<Run> spare_;
  std::size_t latest_ = 0;  // of the run that got the last entry
  std::size_t size_ = 0;
  std::uint64_t newest_queued_ = 0;  // of the waiting entries
  std::uint64_t max_time_ = 0;    // perf: oe->max_timestamp, the newest time when the last record was queued at the end
  std::uint64_t next_limit_ = 0;  // perf: oe->next_flush
  std::uint64_t last_delivered_ = 0;  // perf: oe->last_flush
  std::uint64_t delivered_ = 0;
};

}  // namespace perfsift::reader
