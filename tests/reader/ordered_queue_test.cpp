#include "reader/ordered_queue.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::reader {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The queue, and the times of the delivered records.
class Queue {
 public:
  bool push(std::uint64_t time) { return queue_.push({.time = time, .position = position_++}); }
  void push_all(std::initializer_list<std::uint64_t> times) {
    for (const std::uint64_t time : times) push(time);
  }
  std::vector<std::uint64_t> round() {
    out_.clear();
    queue_.finish_round([this](const QueueEntry& entry) { out_.push_back(entry.time); });
    return out_;
  }
  std::vector<std::uint64_t> finish() {
    out_.clear();
    queue_.finish([this](const QueueEntry& entry) { out_.push_back(entry.time); });
    return out_;
  }
  const OrderedQueue& operator*() const { return queue_; }

 private:
  OrderedQueue queue_;
  std::uint64_t position_ = 0;
  std::vector<std::uint64_t> out_;
};

TEST(OrderedQueue, TheFirstRoundDeliversNothing) {
  Queue in;
  in.push_all({10, 13, 11, 12});
  EXPECT_THAT(in.round(), IsEmpty());
  EXPECT_EQ((*in).size(), 4u);
}

TEST(OrderedQueue, ARoundDeliversUpToTheNewestTimeOfTheRoundBefore) {
  Queue in;
  in.push_all({10, 13, 17, 11, 12, 18});
  in.round();
  in.push_all({19, 25, 14, 20});
  EXPECT_THAT(in.round(), ElementsAre(10, 11, 12, 13, 14, 17, 18));
  EXPECT_THAT(in.round(), ElementsAre(19, 20, 25));
}

TEST(OrderedQueue, TheEndDeliversTheRest) {
  Queue in;
  in.push_all({30, 10, 20});
  EXPECT_THAT(in.finish(), ElementsAre(10, 20, 30));
  EXPECT_TRUE((*in).empty());
}

// perf 6.1 counts 2 events as out of order here.
TEST(OrderedQueue, ALateRecordIsDeliveredNextAndCounted) {
  Queue in;
  in.push_all({100, 300});
  in.round();
  EXPECT_THAT(in.round(), ElementsAre(100, 300));
  EXPECT_FALSE(in.push(200));
  EXPECT_THAT(in.round(), ElementsAre(200));
  EXPECT_FALSE(in.push(50));
  EXPECT_THAT(in.finish(), ElementsAre(50));
}

TEST(OrderedQueue, TheTimeDeliveredLastIsNotTooLate) {
  Queue in;
  in.push_all({100});
  in.round();
  in.round();
  EXPECT_TRUE(in.push(100));
}

TEST(OrderedQueue, TellsUpToWhichTimeItHasDelivered) {
  Queue in;
  EXPECT_EQ((*in).delivered(), 0u);
  in.push_all({100, 300});
  in.round();
  EXPECT_EQ((*in).delivered(), 0u);
  in.push(400);
  in.round();
  EXPECT_EQ((*in).delivered(), 300u);
}

TEST(OrderedQueue, EqualTimesKeepTheirOrder) {
  OrderedQueue queue;
  std::uint64_t position = 0;
  for (const std::uint64_t time : {20, 10, 20, 10, 30, 20, 10}) queue.push({.time = time, .position = position++});
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  queue.finish([&](const QueueEntry& entry) { out.emplace_back(entry.time, entry.position); });
  using P = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_THAT(out, ElementsAre(P(10, 1), P(10, 3), P(10, 6), P(20, 0), P(20, 2), P(20, 5), P(30, 4)));
}

// A model of perf's queue as a single list: ordered_events__queue() and do_flush() in tools/perf/util/ordered-events.c.
class Model {
 public:
  bool push(const QueueEntry& entry) {
    const bool late = entry.time < last_;
    const auto after = std::ranges::upper_bound(list_, entry.time, {}, &QueueEntry::time);
    if (after == list_.end()) newest_ = entry.time;
    list_.insert(after, entry);
    return !late;
  }
  std::vector<std::uint64_t> round() {
    auto delivered = flush(limit_);
    limit_ = newest_;
    return delivered;
  }
  std::vector<std::uint64_t> flush(std::uint64_t limit) {
    std::vector<std::uint64_t> positions;
    while (!list_.empty() && list_.front().time <= limit) {
      last_ = list_.front().time;
      positions.push_back(list_.front().position);
      list_.erase(list_.begin());
    }
    return positions;
  }

 private:
  std::vector<QueueEntry> list_;
  std::uint64_t newest_ = 0, limit_ = 0, last_ = 0;
};

TEST(OrderedQueue, DeliversInTheOrderOfPerfsList) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    OrderedQueue queue;
    Model model;
    std::vector<std::uint64_t> out;
    const auto deliver = [&](const QueueEntry& entry) { out.push_back(entry.position); };
    const std::uint64_t spread = 1 + below(50);
    std::uint64_t base = 1, position = 0;
    for (int step = 0; step < 200; ++step) {
      out.clear();
      if (below(12) == 0) {
        queue.finish_round(deliver);
        ASSERT_EQ(out, model.round()) << "seed " << seed << " step " << step;
      } else {
        base += below(3);
        const QueueEntry entry{.time = base + below(spread), .position = position++};
        ASSERT_EQ(queue.push(entry), model.push(entry)) << "seed " << seed << " step " << step;
      }
    }
    out.clear();
    queue.finish(deliver);
    ASSERT_EQ(out, model.flush(~std::uint64_t{0})) << "seed " << seed;
  }
}

}  // namespace
}  // namespace perfsift::reader
