#include "reader/record_walk.h"

#include <gtest/gtest.h>

#include "tests/support/recording_builder.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;
using test::RecordingBuilder;
using State = RecordExtent::State;

RecordExtent extent(const BytesBuilder& bytes, ByteOrder order = ByteOrder::native) {
  return extent_of(decode_record_header(bytes.view().data(), order), bytes.view(), order);
}
void expect_extent(const RecordExtent& is, State state, std::uint64_t record, std::uint64_t trailing = 0) {
  EXPECT_EQ(is.state, state);
  EXPECT_EQ(is.record, record);
  EXPECT_EQ(is.trailing, trailing);
}

TEST(RecordExtent, IsTheSizeInTheHeader) {
  expect_extent(extent(BytesBuilder().u32(9).u16(0).u16(16).u64(1).u64(2)), State::whole, 16);
  expect_extent(extent(BytesBuilder().u32(9).u16(0).u16(24).u64(1)), State::partial, 24);
}

TEST(RecordExtent, ASizeBelowTheHeaderIsCorrupt) {
  EXPECT_EQ(extent(BytesBuilder().u32(9).u16(0).u16(7).u64(1)).state, State::corrupt);
}

TEST(RecordExtent, IsReadInTheByteOrderOfTheFile) {
  expect_extent(extent(BytesBuilder(ByteOrder::swapped).u32(9).u16(0).u16(16).u64(1), ByteOrder::swapped), State::whole,
                16);
}

TEST(RecordExtent, AuxtraceIsFollowedByItsData) {
  const auto record = [](std::size_t present) {
    return extent(BytesBuilder().u32(71).u16(0).u16(48).u64(100).zeros(32).zeros(present));
  };
  expect_extent(record(100), State::whole, 48, 100);
  expect_extent(record(99), State::partial, 48, 100);
  EXPECT_EQ(extent(BytesBuilder().u32(71).u16(0).u16(15).u64(1)).state, State::corrupt);
}

TEST(RecordExtent, TracingDataIsFollowedByItsDataInRecordsOf12And16Bytes) {
  expect_extent(extent(BytesBuilder().u32(66).u16(0).u16(16).u32(10).u32(0).zeros(10)), State::whole, 16, 10);
  expect_extent(extent(BytesBuilder().u32(66).u16(0).u16(12).u32(10).zeros(10)), State::whole, 12, 10);
}

TEST(RecordExtent, TracingDataOfGigabytesIsRefused) {
  EXPECT_EQ(extent(BytesBuilder().u32(66).u16(0).u16(16).u32(0xffffffff).u32(0)).state, State::corrupt);
}

// TracingDataRecord in system/extras/simpleperf/record.cpp: the data is inside the record, padded to a multiple of 64.
TEST(RecordExtent, TracingDataOfSimpleperfIsInsideTheRecord) {
  const auto record = [] {
    return BytesBuilder().u32(66).u16(0).u16(12 + 64).u32(40).text("\x17\x08\x44tracing0.6").zeros(51);
  };
  ASSERT_EQ(record().size(), 76u);
  expect_extent(extent(record().zeros(100)), State::whole, 76, 0);
  const auto bytes = record();
  for (std::size_t size = record_header_size; size < bytes.size(); ++size) {
    const Bytes start = bytes.view().first(size);
    EXPECT_EQ(extent_of(decode_record_header(start.data(), ByteOrder::native), start, ByteOrder::native).state,
              State::partial)
        << size;
  }
  // Without the magic, the data is behind the record.
  expect_extent(extent(BytesBuilder().u32(66).u16(0).u16(76).u32(40).zeros(64).zeros(40)), State::whole, 76, 40);
}

TEST(RecordExtent, Compressed2IsPaddedTo8Bytes) {
  expect_extent(extent(BytesBuilder().u32(83).u16(0).u16(24).u64(5).zeros(8)), State::whole, 24);
}

// perf record 6.16: 16 + 65519 bytes are padded to 65536, which is 0 in 16 bits. No padding follows in that case.
TEST(RecordExtent, ACompressed2WhoseSizeHasWrappedIsAsLongAsItsData) {
  expect_extent(extent(BytesBuilder().u32(83).u16(0).u16(0).u64(65519).zeros(65519)), State::whole, 65535);
  expect_extent(extent(BytesBuilder().u32(83).u16(0).u16(64).u64(70000).zeros(10)), State::partial, 70016);
}

TEST(RecordWalk, YieldsWholeRecordsAndStopsAtOtherBytes) {
  RecordingBuilder in;
  in.sample_at(1).comm_at(2, 7, "x").raw(BytesBuilder().u32(9).u16(0).u16(99).view());
  RecordWalk walk(in.records(), ByteOrder::native, 1000);
  Record record;
  ASSERT_TRUE(walk.next(record));
  EXPECT_EQ(record.header.type, RecordType::sample);
  EXPECT_EQ(record.payload.size(), 24u);
  EXPECT_EQ(record.position, 1000u);
  ASSERT_TRUE(walk.next(record));
  EXPECT_EQ(record.header.type, RecordType::comm);
  EXPECT_EQ(record.position, 1032u);
  EXPECT_FALSE(walk.next(record));
  EXPECT_EQ(walk.rest().size(), 8u);
}

// With a wrong size of the data, the next position is arbitrary.
TEST(RecordWalk, StopsWhereTheDataBehindARecordDoesNotEndAtAnother) {
  for (const std::uint32_t jump : {32u, 40u}) {
    RecordingBuilder in;
    in.record_and_data(RecordType::auxtrace, in.bytes().u64(jump).zeros(32), BytesBuilder().zeros(32).view());
    in.sample_at(1).sample_at(2);
    RecordWalk walk(in.records(), ByteOrder::native, 0);
    Record record;
    ASSERT_TRUE(walk.next(record));
    EXPECT_EQ(record.trailing.size(), jump);
    EXPECT_EQ(walk.next(record), jump == 32);
  }
}

// --- finding records again

std::vector<std::byte> many_samples(int count) {
  RecordingBuilder in;
  for (int i = 0; i < count; ++i) in.sample_at(100);
  const Bytes records = in.records();
  return {records.begin(), records.end()};
}
NextRecord find(const BytesBuilder& bytes, bool ended = true) {
  return find_next_record(bytes.view(), 1, ByteOrder::native, ended);
}

TEST(FindNextRecord, RecordsUpToTheEndAreAccepted) {
  const auto found = find(BytesBuilder().zeros(24).bytes(many_samples(1)));
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.skip, 24u);
}

TEST(FindNextRecord, AFewRecordsBeforeOtherBytesAreNotAccepted) {
  EXPECT_FALSE(find(BytesBuilder().zeros(24).bytes(many_samples(5)).zeros(8)).found);
  EXPECT_TRUE(find(BytesBuilder().zeros(24).bytes(many_samples(6)).zeros(8)).found);
}

// COMPRESSED records have any size, so the records behind them may start at any offset.
TEST(FindNextRecord, RecordsMayBeginAnywhere) {
  const auto found = find(BytesBuilder().zeros(21).bytes(many_samples(6)));
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.skip, 21u);
}

TEST(FindNextRecord, WithoutARecordAllBytesAreSkipped) {
  const auto found = find(BytesBuilder().zeros(1000));
  EXPECT_FALSE(found.found);
  EXPECT_EQ(found.skip, 1000u);
}

TEST(FindNextRecord, APlaceIsNotJudgedBeforeEnoughBytesFollow) {
  const BytesBuilder start = BytesBuilder().zeros(24).bytes(many_samples(100));
  const auto early = find(start, false);
  EXPECT_FALSE(early.found);
  EXPECT_EQ(early.skip, 0u);

  const auto later = find(BytesBuilder().zeros(24).bytes(many_samples(search_ahead / 32 + 1)), false);
  EXPECT_TRUE(later.found);
  EXPECT_EQ(later.skip, 24u);
}

}  // namespace
}  // namespace perfsift::reader
