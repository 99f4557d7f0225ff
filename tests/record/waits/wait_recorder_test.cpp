#include "record/waits/wait_recorder.h"

#include <array>
#include <cstring>
#include <map>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "base/duration.h"
#include "tests/support/allocated.h"

namespace perfsift::record {
namespace {

namespace wait = reader::measured_wait;
namespace table = reader::measured_table;

// What the programs have measured, and what a recording says of it.
struct Sums {
  std::uint64_t count = 0, blocked = 0, run_queue = 0, ran = 0;
  bool operator==(const Sums&) const = default;
};

// Programs of a machine whose threads wait on ever new stacks.
class MadePrograms : public WaitPrograms {
 public:
  static constexpr std::uint32_t tids = 500;
  static constexpr std::size_t rows_at_once = 8;

  void pass(std::uint64_t nanoseconds) { now_ += nanoseconds; }
  const std::map<std::uint32_t, Sums>& sums() const { return sums_; }
  const wait_counts& total() const { return counts_; }

  void add_process(std::uint32_t) override {}
  void attach() override {}
  void start(std::uint64_t begin) override { EXPECT_EQ(begin, now_); }
  void stop() override {}
  std::vector<Row> take_rows() override {
    counts_.left_out += 3, counts_.left_out_time += 5000;
    std::vector<Row> rows;
    for (std::size_t i = 0; i < rows_at_once; ++i) rows.push_back(made_row());
    return rows;
  }
  std::vector<Thread> threads() override {
    return {{tids + 1, wait_thread{.start = 1, .left = 7, .user_stack = 1, .waker_cpu = -1}}};
  }
  void take_stacks(std::unordered_map<std::uint64_t, WaitStack>& stacks) override {
    stacks.swap(new_stacks_);
    new_stacks_.clear();
  }
  WaitStack stack(std::uint64_t hash) override { return {hash}; }
  wait_counts counts() override {
    counts_.switches += 1000;
    return counts_;
  }
  ProgramUse use() const override { return {.runs = counts_.switches, .nanoseconds = 300 * counts_.switches}; }
  std::uint64_t now() const override { return now_; }
  int events() const override { return -1; }

 private:
  Row made_row() {
    wait_key key{.thread_start = 1,
                 .user_stack = ++stacks_,
                 .kernel_stack = 2,
                 .tid = 1 + static_cast<std::uint32_t>(random_() % tids),
                 .state = 1};
    wait_row row{.count = 1 + random_() % 100, .last = now_, .pid = 1};
    row.blocked = random_() % one_second, row.run_queue = random_() % 1000, row.ran = random_() % one_second;
    row.longest = row.blocked;
    new_stacks_.emplace(key.user_stack, WaitStack(64, key.user_stack));
    new_stacks_.emplace(key.kernel_stack, WaitStack(8, 2));
    Sums& sums = sums_[key.tid];
    sums.count += row.count, sums.blocked += row.blocked, sums.run_queue += row.run_queue, sums.ran += row.ran;
    return {key, row};
  }

  std::uint64_t now_ = 100 * one_second, stacks_ = 10;
  std::minstd_rand random_{7};
  std::unordered_map<std::uint64_t, WaitStack> new_stacks_;
  std::map<std::uint32_t, Sums> sums_;
  wait_counts counts_{};
};

// Reads the samples by the layout of perf_output_sample() in kernel/events/core.c.
class AddingSink : public RecordSink {
 public:
  void records(std::size_t, Bytes records) override {
    while (!records.empty()) {
      std::uint16_t size = 0;
      std::memcpy(&size, records.data() + 6, sizeof size);
      sample(records.first(size));
      records = records.subspan(size);
    }
  }
  void round() override {}

  std::map<std::uint32_t, Sums> sums;
  std::array<std::uint64_t, table::field_count> tables{};
  std::uint64_t open_waits = 0, shortest_stack = ~std::uint64_t{0};

 private:
  static std::uint64_t word(Bytes bytes, std::size_t offset) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
  void sample(Bytes record) {
    constexpr std::size_t chain = 8 + 6 * 8;
    const std::uint64_t words = word(record, chain);
    const std::size_t raw = chain + 8 + 8 * words + 4;
    const auto id = static_cast<std::uint16_t>(word(record, raw));
    const auto field = [&](std::size_t number) { return word(record, raw + 8 + 8 * number); };
    if (id == reader::measured_table_tracepoint.id) {
      for (std::size_t i = 0; i < tables.size(); ++i) tables[i] += field(i);
    } else if ((field(wait::flags) & wait::goes_on) != 0) {
      ++open_waits;
    } else {
      Sums& own = sums[static_cast<std::uint32_t>(word(record, 8 + 2 * 8) >> 32)];
      own.count += field(wait::count), own.blocked += field(wait::blocked), own.run_queue += field(wait::run_queue);
      own.ran += field(wait::ran);
      shortest_stack = std::min(shortest_stack, words);
    }
  }
};

TEST(WaitRecorder, ADayOfReadingsLosesNothingAndTakesNoMoreMemory) {
  auto made = std::make_unique<MadePrograms>();
  MadePrograms& programs = *made;
  WaitRecorder recorder({}, std::move(made), std::chrono::seconds(10));
  AddingSink sink;
  recorder.start(sink);
  const std::size_t before = test::allocated();
  std::size_t highest = 0;
  for (int second = 5; second <= 24 * 3600; second += 5) {
    programs.pass(5 * one_second);
    recorder.drain(sink);
    highest = std::max(highest, test::allocated());
  }
  recorder.finish(sink);
  EXPECT_EQ(sink.sums, programs.sums());
  EXPECT_EQ(sink.tables[table::switches], programs.total().switches);
  EXPECT_EQ(sink.tables[table::left_out_time], programs.total().left_out_time);
  EXPECT_EQ(sink.tables[table::program_time], 300 * programs.total().switches);
  EXPECT_EQ(recorder.totals().left_out, programs.total().left_out);
  EXPECT_EQ(sink.open_waits, 1u);
  EXPECT_EQ(sink.shortest_stack, 74u);  // 64 and 8 words, with their markers: no stack is forgotten too early
  // 50,000 stacks are known at most; the day has 69,120, which would take 37 MB.
  EXPECT_LT(highest - before, std::size_t{34} << 20);
}

// A report of a period begins where the one before has ended.
TEST(WaitRecorder, PartsOfARecordingHaveNoGap) {
  auto made = std::make_unique<MadePrograms>();
  MadePrograms& programs = *made;
  WaitRecorder recorder({}, std::move(made));
  AddingSink sinks[2];
  recorder.start(sinks[0]);
  const std::uint64_t begin = sinks[0].tables[table::begin];
  programs.pass(one_second);
  recorder.end_part(sinks[0]);
  programs.pass(one_second / 10);  // the report is written
  recorder.begin_part(sinks[1]);
  EXPECT_EQ(sinks[1].tables[table::begin], begin + one_second);
  EXPECT_EQ(sinks[1].tables[table::switches], 0u);
  recorder.finish(sinks[1]);
  EXPECT_EQ(sinks[0].tables[table::switches] + sinks[1].tables[table::switches], programs.total().switches);
  EXPECT_EQ(sinks[0].open_waits, 0u);
  EXPECT_EQ(sinks[1].open_waits, 1u);
}

}  // namespace
}  // namespace perfsift::record
