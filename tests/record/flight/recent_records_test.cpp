#include "record/flight/recent_records.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include "record/rings/pieces.h"
#include "tests/support/bytes.h"

namespace perfsift::record {
namespace {

namespace bit = reader::sample_bit;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A SAMPLE of TID and TIME, as perf_output_sample() writes it.
std::vector<std::byte> timed_sample(std::uint64_t time) {
  return test::BytesBuilder().record(PERF_RECORD_SAMPLE, 0, test::BytesBuilder().u32(7).u32(7).u64(time).view()).take();
}

std::vector<std::byte> timed_samples(const std::vector<std::uint64_t>& times) {
  std::vector<std::byte> all;
  for (const std::uint64_t time : times) {
    const auto sample = timed_sample(time);
    all.insert(all.end(), sample.begin(), sample.end());
  }
  return all;
}

class RecentRecordsTest : public ::testing::Test {
 protected:
  RecentRecordsTest() { events_.add({.sample_type = bit::tid | bit::time}, {1}); }

  RecentRecords::Take take() {
    return [this](Bytes records) {
      walk_records({records, {}}, [&](const reader::RecordHeader&, std::size_t offset) {
        ByteReader in(records.subspan(offset + 16));
        times_.push_back(in.u64());
      });
    };
  }

  reader::EventTable events_;
  std::vector<std::uint64_t> times_;
};

TEST_F(RecentRecordsTest, SamplesFromTheTimeOnArePassedOn) {
  RecentRecords recent(events_, 20, take());
  recent.records(0, timed_samples({10, 19, 20, 30}));
  recent.records(1, timed_samples({5}));
  EXPECT_THAT(times_, ElementsAre(20, 30));
  EXPECT_EQ(recent.samples(), 2);
  EXPECT_EQ(recent.oldest(0), 10);
  EXPECT_EQ(recent.oldest(1), 5);
  EXPECT_EQ(recent.oldest(2), reader::no_time);
}

TEST_F(RecentRecordsTest, ASampleThatAnInterruptWroteBetweenStays) {
  RecentRecords recent(events_, 20, take());
  recent.records(0, timed_samples({10, 21, 19, 22}));
  EXPECT_THAT(times_, ElementsAre(21, 19, 22));
}

TEST_F(RecentRecordsTest, BytesThatAreNoWholeRecordAreLeftOut) {
  std::vector<std::byte> bytes = timed_samples({30, 40});
  bytes.resize(bytes.size() - 8);
  RecentRecords recent(events_, 20, take());
  recent.records(0, bytes);
  EXPECT_THAT(times_, ElementsAre(30));
}

TEST_F(RecentRecordsTest, ASampleTooShortForATimeIsPassedOn) {
  const auto record = test::BytesBuilder().record(PERF_RECORD_SAMPLE, 0, test::BytesBuilder().u64(7).view()).take();
  std::size_t size = 0;
  RecentRecords recent(events_, 20, [&](Bytes records) { size += records.size(); });
  recent.records(0, record);
  EXPECT_EQ(size, record.size());
  EXPECT_THAT(times_, IsEmpty());
}

TEST_F(RecentRecordsTest, ManyRecordsComeInPieces) {
  std::vector<std::uint64_t> times(100'000);
  std::iota(times.begin(), times.end(), 1);
  std::size_t pieces = 0, most = 0;
  const auto keep = take();
  RecentRecords recent(events_, 10, [&](Bytes records) {
    ++pieces;
    most = std::max(most, records.size());
    keep(records);
  });
  recent.records(0, timed_samples(times));
  EXPECT_GT(pieces, 1u);
  EXPECT_LE(most, (std::size_t{1} << 20) + 24);
  EXPECT_EQ(times_, std::vector<std::uint64_t>(times.begin() + 9, times.end()));
  EXPECT_EQ(recent.samples(), times.size() - 9);
}

TEST_F(RecentRecordsTest, RecordsAreCompleteFromTheYoungestBeginOfTheRingsThatOverwrote) {
  RecentRecords recent(events_, 0, take());
  recent.records(0, timed_samples({100, 200}));
  recent.records(1, timed_samples({150, 200}));
  recent.records(2, timed_samples({190}));
  const std::vector<RingFill> fills{{.ring = 0, .capacity = 48, .written = 480},
                                    {.ring = 1, .capacity = 48, .written = 49},
                                    {.ring = 2, .capacity = 48, .written = 24}};
  EXPECT_EQ(complete_from(recent, fills, 50), 150);
}

TEST_F(RecentRecordsTest, RingsThatOverwroteNothingAreCompleteFromTheBegin) {
  RecentRecords recent(events_, 0, take());
  recent.records(0, timed_samples({100}));
  EXPECT_EQ(complete_from(recent, {{.ring = 0, .capacity = 48, .written = 24}}, 50), 50);
}

}  // namespace
}  // namespace perfsift::record
