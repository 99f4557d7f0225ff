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
using test::comm_record;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const SideBandLog::Time start{};

// The names in the COMM records that a recording would get, in order; "-" for any other record.
class Names {
 public:
  static std::vector<std::string> of(const SideBandLog& log) {
    Names names;
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

std::vector<std::byte> switch_record() { return reader::encode_switch({.out = true}, {}); }

TEST(SideBandLog, GivesTheStateAndThenAllRecordsSince) {
  SideBandLog log = log_of(1000);
  log.begin_generation(start);
  log.add_state(comm_record(1, "init"));
  log.add(start + seconds(1), comm_record(7, "before"));
  log.add(start + seconds(2), comm_record(7, "after"));
  EXPECT_THAT(Names::of(log), ElementsAre("init", "before", "after"));
}

TEST(SideBandLog, TheFirstGenerationIsDueAtOnce) {
  SideBandLog log = log_of(1000);
  EXPECT_TRUE(log.is_generation_due(start));
  log.begin_generation(start);
  EXPECT_FALSE(log.is_generation_due(start + seconds(1000)));
}

TEST(SideBandLog, AGenerationEndsWhenItIsLargeAndOlderThanTheWindow) {
  SideBandLog log = log_of(20);
  log.begin_generation(start);
  log.add(start, comm_record(7, "seven"));
  EXPECT_FALSE(log.is_generation_due(start + seconds(10)));
  EXPECT_TRUE(log.is_generation_due(start + seconds(11)));
}

TEST(SideBandLog, AProcessThatEndedWithinTheWindowKeepsItsName) {
  SideBandLog log = log_of(20);
  log.begin_generation(start);
  log.add_state(comm_record(7, "seven"));
  log.add(start + seconds(19), test::exit_record(7));
  log.begin_generation(start + seconds(20));  // its state has no process 7
  log.add_state(comm_record(1, "init"));
  log.add(start + seconds(21), comm_record(8, "eight"));
  EXPECT_THAT(Names::of(log), ElementsAre("seven", "-", "eight"));
}

TEST(SideBandLog, TheGenerationBeforeThePreviousOneIsDropped) {
  SideBandLog log = log_of(20);
  for (int generation = 0; generation < 3; ++generation) {
    const auto begin = start + seconds(20 * generation);
    log.begin_generation(begin);
    log.add_state(comm_record(1, "state " + std::to_string(generation)));
    log.add(begin, comm_record(2, "since " + std::to_string(generation)));
  }
  EXPECT_THAT(Names::of(log), ElementsAre("state 1", "since 1", "since 2"));
  EXPECT_EQ(log.cut_generations(), 0);
}

TEST(SideBandLog, TooManyRecordsEndAGenerationEarlyAndAreCounted) {
  SideBandLog log = log_of(20, 100);
  log.begin_generation(start);
  for (int i = 0; i < 10; ++i) log.add(start, comm_record(i, "name"));
  ASSERT_TRUE(log.is_generation_due(start + seconds(1)));
  log.begin_generation(start + seconds(1));
  EXPECT_EQ(log.cut_generations(), 1);
}

TEST(SideBandLog, SwitchesAreKeptForTheWindowOnly) {
  SideBandLog log = log_of(1000);
  log.begin_generation(start);
  log.add(start, comm_record(7, "seven"));
  log.add(start, switch_record());
  EXPECT_THAT(Names::of(log), ElementsAre("seven", "-"));
  log.add(start + seconds(12), switch_record());
  log.add(start + seconds(13), switch_record());
  EXPECT_THAT(Names::of(log), ElementsAre("seven", "-", "-"));
}

TEST(SideBandLog, SwitchesTakeNoMoreMemoryThanAllowed) {
  const std::size_t size = switch_record().size();
  SideBandLog log = log_of(1000, 10 * size);
  for (int tenth = 0; tenth < 90; ++tenth) {
    log.add(start + std::chrono::milliseconds(101 * tenth), switch_record());
    ASSERT_LE(log.bytes(), 11 * size);
  }
}

TEST(SideBandLog, KnowsProcessesThatStartedAndHaveNotEnded) {
  SideBandLog log = log_of(1000);
  log.add(start, test::fork_record(1, 7));
  log.add(start, test::fork_record(7, 8));
  log.add(start, test::exit_record(7));
  EXPECT_THAT(log.started_processes(), ElementsAre(8));
}

TEST(SideBandLog, ARecordWithAnImpossibleSizeEndsTheBytes) {
  SideBandLog log = log_of(1000);
  std::vector<std::byte> bytes = comm_record(7, "seven");
  const std::size_t whole = bytes.size();
  bytes.resize(whole + 16);  // a header of zeros: the size is 0
  log.add(start, bytes);
  EXPECT_EQ(log.bytes(), whole);
}

TEST(SideBandLog, HasNothingBeforeTheFirstRecord) { EXPECT_THAT(Names::of(log_of(1000)), IsEmpty()); }

}  // namespace
}  // namespace perfsift::record
