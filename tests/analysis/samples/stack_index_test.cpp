// Filters with an index of the stacks keep the same samples as without an index.

#include "analysis/samples/stack_index.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "analysis/samples/sample_filter.h"
#include "base/error.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"

namespace perfsift::analysis {
namespace {

using reader::RecordType;
using test::RecordingBuilder;
namespace bit = reader::sample_bit;
namespace context = reader::callchain_context;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t type = bit::ip | bit::tid | bit::time | bit::callchain;

class StackIndexTest : public ::testing::Test {
 protected:
  void add(const Words& callchain, std::uint16_t mode = test::user_mode) {
    test::BytesBuilder payload;
    const auto first = std::ranges::find_if(callchain, [](std::uint64_t word) { return word < context::max; });
    payload.u64(first == callchain.end() ? 0x5000 : *first).u32(7).u32(7).u64(++time_).u64(callchain.size());
    for (const std::uint64_t word : callchain) payload.u64(word);
    in_.record(RecordType::sample, payload, mode);
  }
  std::unique_ptr<reader::Recording> recording() {
    return reader::Recording::open(directory_.write("data", in_.file()));
  }
  std::optional<StackIndex> index(reader::Recording& recording, unsigned threads = 1, StackIndex::Limits limits = {}) {
    return StackIndex::build(recording, symbolizer_, limits, threads, [] {});
  }
  // The positions of the kept samples.
  std::set<std::uint64_t> kept(reader::Recording& recording, const std::string& text, const StackIndex* index) {
    const filter::Filter filter = filter::Filter::parse(text);
    RecordingFilter wanted(recording, symbolizer_, filter, {.index = index});
    wanted.prepare(1);
    struct Visitor : reader::SampleVisitor {
      Visitor(std::unique_ptr<SampleFilter> filter, std::set<std::uint64_t>& positions)
          : filter_(std::move(filter)), positions_(positions) {}
      void sample(const reader::Sample& sample) override {
        if (filter_->keeps(sample)) positions_.insert(sample.moment.position);
      }

     private:
      const std::unique_ptr<SampleFilter> filter_;
      std::set<std::uint64_t>& positions_;
    };
    std::set<std::uint64_t> positions;
    recording.visit_parallel(1, [&](unsigned) { return std::make_unique<Visitor>(wanted.worker(), positions); });
    return positions;
  }

  test::TemporaryDirectory directory_;
  symbolize::Symbolizer symbolizer_;
  RecordingBuilder in_ = std::move(RecordingBuilder().event({.sample_type = type}));
  std::uint64_t time_ = 0;
};

TEST_F(StackIndexTest, EqualStacksHaveOneNumberAndEqualFramesToo) {
  add({context::user, 0x1000, 0x2000});
  add({context::user, 0x1000, 0x3000, 0x2000});
  add({context::user, 0x1000, 0x2000});
  const auto read = recording();
  const auto made = index(*read);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->size(), 2u);
  std::vector<std::uint64_t> positions;
  for (const std::uint64_t position : kept(*read, "tid == 7", nullptr)) positions.push_back(position);
  ASSERT_EQ(positions.size(), 3u);
  StackIndex::Hint hint = 0;
  const auto first = made->stack_of(positions[0], hint), second = made->stack_of(positions[1], hint),
             third = made->stack_of(positions[2], hint);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first, third);
  EXPECT_EQ(made->stack_of(positions[0], hint), first);  // back again
  const auto of_first = made->frames(*first), of_second = made->frames(*second);
  ASSERT_EQ(of_first.size(), 2u);
  ASSERT_EQ(of_second.size(), 3u);
  EXPECT_EQ(of_first[0], of_second[0]);
  EXPECT_EQ(of_first[1], of_second[2]);
  EXPECT_NE(of_second[1], of_second[0]);
  EXPECT_EQ(made->stack_of(positions[0] + 1, hint), std::nullopt);
  EXPECT_EQ(made->stack_of(~std::uint64_t{0}, hint), std::nullopt);
}

TEST_F(StackIndexTest, FiltersKeepTheSameSamples) {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    Words words;
    if (random() % 4 == 0) words = {context::kernel, 0xffff'8000'0000'1000 + random() % 3};
    if (random() % 8 != 0) words.push_back(context::user);
    for (std::size_t depth = random() % 6; depth != 0; --depth) words.push_back(0x1000 + random() % 5 * 16);
    if (random() % 50 == 0) words.push_back(~std::uint64_t{0} - random() % 8);  // not an address
    add(words, random() % 3 == 0 ? test::kernel_mode : test::user_mode);
  }
  const auto read = recording();
  for (const unsigned threads : {1u, 3u}) {
    const auto made = index(*read, threads);
    ASSERT_TRUE(made) << threads;
    for (const char* const filter :
         {"stack has (ip == 0x1010)", "!(stack has (ip == 0x1020))", "stack has (cpumode == kernel)",
          "stack has (cpumode == user && ip >= 0x1030) && stack has (ip == 0x1000)",
          "stack has (ip > 0xffff000000000000)", "stack has \"main\"", "depth > 3 || stack has (ip == 0x1040)"}) {
      const auto without = kept(*read, filter, nullptr);
      EXPECT_TRUE(kept(*read, filter, &*made) == without) << filter;
      const bool names_nothing = filter == std::string_view("stack has \"main\"");
      EXPECT_EQ(without.empty(), names_nothing) << filter;
      EXPECT_LT(without.size(), 20'000u) << filter;
    }
  }
}

TEST_F(StackIndexTest, ThereIsNoneBeyondTheLimit) {
  for (std::uint64_t i = 0; i < 100; ++i) add({context::user, 0x1000 + i, 0x2000});
  const auto read = recording();
  EXPECT_TRUE(index(*read, 1, {.memory = 200 * 4}));
  EXPECT_FALSE(index(*read, 1, {.memory = 199 * 4}));
}

TEST_F(StackIndexTest, TheCheckEndsTheWork) {
  for (int i = 0; i < 5000; ++i) add({context::user, 0x1000});
  const auto read = recording();
  EXPECT_THROW(StackIndex::build(*read, symbolizer_, {}, 2, [] { throw UsageError("stop"); }), UsageError);
}

TEST_F(StackIndexTest, OfNoSamples) {
  const auto read = recording();
  const auto made = index(*read);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->size(), 0u);
  StackIndex::Hint hint = 0;
  EXPECT_EQ(made->stack_of(0, hint), std::nullopt);
}

}  // namespace
}  // namespace perfsift::analysis
