#include "record/flight/side_band_log.h"

#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reader/records/process.h"
#include "record/rings/pieces.h"
#include "tests/record/flight/made_records.h"

namespace perfsift::record {
namespace {

using std::chrono::seconds;
using test::made_comm;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const SideBandLog::Time log_start{};

// The names in the COMM records that a recording would get, in order; "-" for any other record.
class GivenNames {
 public:
  static std::vector<std::string> of(const SideBandLog& log) {
    GivenNames names;
    log.give_state([&](Bytes records) { names.take(records); });
    log.give_records([&](Bytes records) { names.take(records); });
    return names.names_;
  }

 private:
  void take(Bytes records) {
    walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
      reader::Record record;
      record.header = header;
      record.payload = records.subspan(offset + 8, header.size - 8u);
      const auto comm = header.type == reader::RecordType::comm ? reader::decode_comm(record) : std::nullopt;
      names_.push_back(comm ? std::string(comm->name) : "-");
    });
  }

  std::vector<std::string> names_;
};

SideBandLog log_of(std::size_t generation, std::size_t most = 1 << 20) {
  return SideBandLog({.window = seconds(10), .generation = generation, .most = most});
}

std::vector<std::byte> made_switch() { return reader::encode_switch({.out = true}, {}); }

TEST(SideBandLog, GivesTheStateAndThenAllRecordsSince) {
  SideBandLog log = log_of(1000);
  log.begin_generation(log_start);
  log.add_state(made_comm(1, "init"));
  log.add(log_start + seconds(1), made_comm(7, "before"));
  log.add(log_start + seconds(2), made_comm(7, "after"));
  EXPECT_THAT(GivenNames::of(log), ElementsAre("init", "before", "after"));
}

TEST(SideBandLog, TheFirstGenerationIsDueAtOnce) {
  SideBandLog log = log_of(1000);
  EXPECT_TRUE(log.is_generation_due(log_start));
  log.begin_generation(log_start);
  EXPECT_FALSE(log.is_generation_due(log_start + seconds(1000)));
}

TEST(SideBandLog, AGenerationEndsWhenItIsLargeAndOlderThanTheWindow) {
  SideBandLog log = log_of(20);
  log.begin_generation(log_start);
  log.add(log_start, made_comm(7, "seven"));
  EXPECT_FALSE(log.is_generation_due(log_start + seconds(10)));
  EXPECT_TRUE(log.is_generation_due(log_start + seconds(11)));
}

TEST(SideBandLog, AProcessThatEndedWithinTheWindowKeepsItsName) {
  SideBandLog log = log_of(20);
  log.begin_generation(log_start);
  log.add_state(made_comm(7, "seven"));
  log.add(log_start + seconds(19), test::made_exit(7));
  log.begin_generation(log_start + seconds(20));  // its state has no process 7
  log.add_state(made_comm(1, "init"));
  log.add(log_start + seconds(21), made_comm(8, "eight"));
  EXPECT_THAT(GivenNames::of(log), ElementsAre("seven", "-", "eight"));
}

TEST(SideBandLog, TheGenerationBeforeThePreviousOneIsDropped) {
  SideBandLog log = log_of(20);
  for (int generation = 0; generation < 3; ++generation) {
    const auto begin = log_start + seconds(20 * generation);
    log.begin_generation(begin);
    log.add_state(made_comm(1, "state " + std::to_string(generation)));
    log.add(begin, made_comm(2, "since " + std::to_string(generation)));
  }
  EXPECT_THAT(GivenNames::of(log), ElementsAre("state 1", "since 1", "since 2"));
  EXPECT_EQ(log.cut_generations(), 0);
}

TEST(SideBandLog, TooManyRecordsEndAGenerationEarlyAndAreCounted) {
  SideBandLog log = log_of(20, 100);
  log.begin_generation(log_start);
  for (int i = 0; i < 10; ++i) log.add(log_start, made_comm(i, "name"));
  ASSERT_TRUE(log.is_generation_due(log_start + seconds(1)));
  log.begin_generation(log_start + seconds(1));
  EXPECT_EQ(log.cut_generations(), 1);
}

TEST(SideBandLog, SwitchesAreKeptForTheWindowOnly) {
  SideBandLog log = log_of(1000);
  log.begin_generation(log_start);
  log.add(log_start, made_comm(7, "seven"));
  log.add(log_start, made_switch());
  EXPECT_THAT(GivenNames::of(log), ElementsAre("seven", "-"));
  log.add(log_start + seconds(12), made_switch());
  log.add(log_start + seconds(13), made_switch());
  EXPECT_THAT(GivenNames::of(log), ElementsAre("seven", "-", "-"));
}

TEST(SideBandLog, SwitchesTakeNoMoreMemoryThanAllowed) {
  const std::size_t size = made_switch().size();
  SideBandLog log = log_of(1000, 10 * size);
  for (int tenth = 0; tenth < 90; ++tenth) {
    log.add(log_start + std::chrono::milliseconds(101 * tenth), made_switch());
    ASSERT_LE(log.bytes(), 11 * size);
  }
}

TEST(SideBandLog, KnowsProcessesThatStartedAndHaveNotEnded) {
  SideBandLog log = log_of(1000);
  log.add(log_start, test::made_fork(1, 7));
  log.add(log_start, test::made_fork(7, 8));
  log.add(log_start, test::made_exit(7));
  EXPECT_THAT(log.started_processes(), ElementsAre(8));
}

TEST(SideBandLog, ARecordWithAnImpossibleSizeEndsTheBytes) {
  SideBandLog log = log_of(1000);
  std::vector<std::byte> bytes = made_comm(7, "seven");
  const std::size_t whole = bytes.size();
  bytes.resize(whole + 16);  // a header of zeros: the size is 0
  log.add(log_start, bytes);
  EXPECT_EQ(log.bytes(), whole);
}

TEST(SideBandLog, HasNothingBeforeTheFirstRecord) { EXPECT_THAT(GivenNames::of(log_of(1000)), IsEmpty()); }

}  // namespace
}  // namespace perfsift::record
