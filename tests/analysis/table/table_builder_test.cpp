#include "analysis/table/table_builder.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/emulated.h"
#include "tests/support/instrumented.h"

namespace perfsift::analysis {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Exits with 0 if the table has all samples, although there is no memory for the expected number.
[[noreturn]] void build_without_room() {
  constexpr std::uint32_t count = 100'000;
  const std::size_t most = address_space_in_use() + 64 * megabyte;
  const rlimit limit{.rlim_cur = most, .rlim_max = most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
  TableBuilder rows;
  rows.expect(1024 * megabyte / sizeof(SampleRow), 1);
  TableBuilder::Part part(rows);
  for (std::uint32_t i = 0; i < count; ++i) part.add({.time = i, .position = i});
  part.finish([](std::uint32_t stack) { return stack; });
  TableBuilder::Part* const parts[] = {&part};
  rows.join(parts);
  const SampleTable table = std::move(rows).seal();
  if (table.samples().size() != count) std::_Exit(3);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (table.samples()[i].time != i || table.samples()[i].position != i) std::_Exit(4);
  }
  // Tests that there was no memory, and that there is none.
  try {
    const LargeVector<char> room(1024 * megabyte);
    std::_Exit(5);
  } catch (const std::bad_alloc&) {
    std::_Exit(0);
  }
}

TEST(TableBuilderDeathTest, GoesOnWithoutTheRoomThatIsExpected) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer needs all of the address space";
#endif
  if (test::emulated()) GTEST_SKIP() << "under an emulator";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(build_without_room(), ::testing::ExitedWithCode(0), "");
}

// An exception may end the visit of an input.
TEST(TableBuilder, APartThatWasNotJoinedLeavesNothing) {
  TableBuilder rows;
  rows.expect(10'000, 2);
  {
    TableBuilder::Part failed(rows);
    failed.add({.time = 1, .stack = 12'345});
  }
  TableBuilder::Part part(rows);
  part.add({.time = 2, .stack = 0});
  part.finish([](std::uint32_t stack) { return stack; });
  TableBuilder::Part* const parts[] = {&part};
  rows.join(parts);
  const SampleTable table = std::move(rows).seal();
  ASSERT_EQ(table.samples().size(), 1u);
  EXPECT_EQ(table.samples()[0].time, 2u);
}

// Stacks 0 and 1 are in the first list. Stack 2 and an amount without frames are in the second list.
class SealedTable : public testing::Test {
 protected:
  SealedTable() {
    const FrameId frame = profile_.frames().intern("f");
    StackList& first = profile_.new_list();
    for (const std::uint64_t value : {50, 20}) first.add(event_, {&frame, 1}, {.samples = 2, .value = value});
    StackList& second = profile_.new_list();
    second.add(event_, {&frame, 1}, {.samples = 4, .value = 40});
    second.add_frameless({.samples = 1, .value = 7});
    context_ = rows_.context({.pid = 7, .tid = 8, .comm = "c"});
  }

  // "stack samples value", with " ?" for a row with a known stack only.
  static std::vector<std::string> sums(const SampleTable& table) {
    std::vector<std::string> texts;
    for (const SumRow& sum : table.sums()) {
      const std::string stack = sum.stack == SampleRow::no_stack ? "-" : std::to_string(sum.stack);
      texts.push_back(stack + ' ' + std::to_string(sum.amount.samples) + ' ' + std::to_string(sum.amount.value));
      if (sum.context == SumRow::no_context) texts.back() += " ?";
    }
    return texts;
  }

  Profile profile_;
  const EventId event_ = profile_.event("cycles");
  TableBuilder rows_;
  std::uint32_t context_ = 0;
};

TEST_F(SealedTable, HasWhatOnlyTheProfileHasWithoutAContext) {
  const SampleRow sample{.time = 1, .value = 30, .stack = 0, .context = context_, .event = event_};
  rows_.append({&sample, 1});
  rows_.append({.amount = {.samples = 4, .value = 40}, .stack = 2, .context = context_, .event = event_});
  const SampleTable table = std::move(rows_).seal(profile_);
  EXPECT_EQ(table.samples().size(), 1u);
  EXPECT_THAT(sums(table), testing::ElementsAre("2 4 40", "0 1 20 ?", "1 2 20 ?", "- 1 7 ?"));
  EXPECT_EQ(table.context(table.sums()[0].context).comm, "c");
  EXPECT_EQ(table.context(table.sums()[1].context), SampleContext());
}

TEST_F(SealedTable, OfSomeListsHasTheirStacks) {
  EXPECT_THAT(sums(std::move(rows_).seal(profile_, 1, 2)), testing::ElementsAre("2 4 40 ?", "- 1 7 ?"));
}

TEST_F(SealedTable, WithoutAProfileHasItsRowsOnly) {
  rows_.append({.amount = {.samples = 4, .value = 40}, .stack = 2, .context = context_, .event = event_});
  EXPECT_THAT(sums(std::move(rows_).seal()), testing::ElementsAre("2 4 40"));
}

}  // namespace
}  // namespace perfsift::analysis
