#include "record/rings/ring_reader.h"

#include <array>
#include <vector>

#include <gmock/gmock.h>

#include "tests/record/rings/fake_ring.h"

namespace perfsift::record {
namespace {

using test::BytesBuilder;
using test::FakeRing;
using test::numbered_record;
using test::NumberSink;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

void pass(RingReader& reader, RecordSink& sink) {
  reader.look();
  reader.pass_on(0, sink);
}

RingReader ordinary_reader(const FakeRing& fake) { return RingReader(Ring::over(fake.memory(), Ring::Kind::ordinary)); }
RingReader overwritten_reader(const FakeRing& fake) {
  return RingReader(Ring::over(fake.memory(), Ring::Kind::overwritten));
}

TEST(RingReader, EmptyRingGivesNothing) {
  const FakeRing fake;
  RingReader reader = ordinary_reader(fake);
  NumberSink sink;
  pass(reader, sink);
  EXPECT_THAT(sink.numbers, IsEmpty());
  EXPECT_EQ(sink.calls, 0u);
  EXPECT_EQ(fake.tail(), 0u);
}

TEST(RingReader, RecordsComeInTheirOrderAndTheirRoomIsGivenBack) {
  FakeRing fake;
  RingReader reader = ordinary_reader(fake);
  fake.write(numbered_record(1, 24));
  fake.write(numbered_record(2, 16));
  NumberSink sink;
  pass(reader, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2));
  EXPECT_EQ(sink.calls, 1u);
  EXPECT_EQ(fake.tail(), 40u);
}

TEST(RingReader, PassGivesWhatWasThereWhenItBegan) {
  FakeRing fake;
  RingReader reader = ordinary_reader(fake);
  fake.write(numbered_record(1, 24));
  reader.look();
  fake.write(numbered_record(2, 24));
  NumberSink sink;
  reader.pass_on(0, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1));
  pass(reader, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2));
}

TEST(RingReader, RecordThatWrapsComesWhole) {
  FakeRing fake;
  RingReader reader = ordinary_reader(fake);
  NumberSink sink;
  fake.write(numbered_record(1, fake.capacity() - 24));
  pass(reader, sink);
  fake.write(numbered_record(2, 16));
  fake.write(numbered_record(3, 48));  // 8 bytes, the header, are in front of the wrap
  fake.write(numbered_record(4, 16));
  pass(reader, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(sink.is_whole);
  EXPECT_EQ(fake.tail(), fake.capacity() - 24 + 80);
}

TEST(RingReader, RecordsThatEndAtTheWrapAreNotCopied) {
  FakeRing fake;
  RingReader reader = ordinary_reader(fake);
  NumberSink sink;
  fake.write(numbered_record(1, fake.capacity() - 16));
  pass(reader, sink);
  fake.write(numbered_record(2, 16));
  fake.write(numbered_record(3, 16));
  pass(reader, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2, 3));
  EXPECT_EQ(sink.calls, 3u);
}

TEST(RingReader, FullRingGivesAllOfItsRecords) {
  FakeRing fake;
  RingReader reader = ordinary_reader(fake);
  NumberSink sink;
  fake.write(numbered_record(0, 64));  // the ring does not begin at its first byte
  pass(reader, sink);
  std::vector<std::uint64_t> expected{0};
  for (std::uint64_t number = 1; number <= fake.capacity() / 128; ++number) {
    fake.write(numbered_record(number, 128));
    expected.push_back(number);
  }
  pass(reader, sink);
  EXPECT_EQ(sink.numbers, expected);
}

TEST(RingReader, ImpossibleSizeEndsThePassAndIsCounted) {
  // 0 and 7 are smaller than a header; 32 is more than what is left.
  for (const std::uint16_t size : std::array<std::uint16_t, 3>{0, 7, 32}) {
    FakeRing fake;
    RingReader reader = ordinary_reader(fake);
    NumberSink sink;
    fake.write(numbered_record(1, 16));
    fake.write(BytesBuilder().u32(PERF_RECORD_SAMPLE).u16(0).u16(size).u64(2).view());
    pass(reader, sink);
    EXPECT_THAT(sink.numbers, ElementsAre(1)) << size;
    EXPECT_EQ(reader.counts().damaged, 16u) << size;
    EXPECT_EQ(fake.tail(), 32u) << size;

    fake.write(numbered_record(3, 16));
    pass(reader, sink);
    EXPECT_THAT(sink.numbers, ElementsAre(1, 3)) << size;
  }
}

TEST(RingReader, HeadThatIsFarAwayReadsNoMemoryBesideTheRing) {
  FakeRing fake;
  RingReader reader = ordinary_reader(fake);
  NumberSink sink;
  fake.set_head(~std::uint64_t{0} - 5);
  pass(reader, sink);
  EXPECT_THAT(sink.numbers, IsEmpty());
  EXPECT_EQ(reader.counts().damaged, fake.capacity());
}

TEST(RingReader, HeadInTheMiddleOfAHeaderIsDamage) {
  FakeRing fake;
  RingReader reader = ordinary_reader(fake);
  NumberSink sink;
  fake.write(numbered_record(1, 16));
  fake.set_head(20);
  pass(reader, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1));
  EXPECT_EQ(reader.counts().damaged, 4u);
}

// include/uapi/linux/perf_event.h: LOST is { u64 id; u64 lost; }, LOST_SAMPLES is { u64 lost; }.
TEST(RingReader, LostRecordsAndSamplesAreAddedUpAcrossTheWrap) {
  FakeRing fake;
  RingReader reader = ordinary_reader(fake);
  const auto lost = BytesBuilder().record(PERF_RECORD_LOST, 0, BytesBuilder().u64(7).u64(1000).view()).take();
  const auto samples = BytesBuilder().record(PERF_RECORD_LOST_SAMPLES, 0, BytesBuilder().u64(30).view()).take();
  NumberSink sink;
  fake.write(numbered_record(1, fake.capacity() - 16));
  pass(reader, sink);
  for (const auto& record : {lost, samples, lost}) fake.write(record);
  pass(reader, sink);
  EXPECT_EQ(reader.counts().lost_records, 2000u);
  EXPECT_EQ(reader.counts().lost_samples, 30u);
  EXPECT_EQ(reader.counts().damaged, 0u);
}

TEST(OverwrittenRing, RingThatHasNotWrappedGivesAllRecordsTheOldestFirst) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  for (const std::uint64_t number : {1, 2, 3}) fake.write_backward(numbered_record(number, 24 + 8 * number));
  reader.snapshot(0, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2, 3));
  EXPECT_EQ(reader.counts().overwritten, 0u);
}

TEST(OverwrittenRing, RingWithoutRecordsGivesNothing) {
  const FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  reader.snapshot(0, sink);
  EXPECT_EQ(sink.calls, 0u);
}

TEST(OverwrittenRing, OldestRecordThatIsOverwrittenInPartIsLeftOut) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  const std::size_t half = fake.capacity() / 2;
  fake.write_backward(numbered_record(1, half));
  fake.write_backward(numbered_record(2, half - 24));
  fake.write_backward(numbered_record(3, 48));  // over the last 24 bytes of record 1
  reader.snapshot(0, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(2, 3));
  EXPECT_TRUE(sink.is_whole);
  EXPECT_EQ(reader.counts().overwritten, half);
}

TEST(OverwrittenRing, RingThatIsFullToTheByteLosesNothing) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  const std::size_t half = fake.capacity() / 2;
  fake.write_backward(numbered_record(1, half));
  fake.write_backward(numbered_record(2, half));
  reader.snapshot(0, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2));
  EXPECT_EQ(reader.counts().overwritten, 0u);
}

TEST(OverwrittenRing, OnlyBytesThatNoSnapshotHasSeenAreLost) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  const std::size_t half = fake.capacity() / 2;
  for (const std::uint64_t number : {1, 2}) fake.write_backward(numbered_record(number, half));
  reader.snapshot(0, sink);
  fake.write_backward(numbered_record(3, half));  // over record 1, which was seen
  reader.snapshot(0, sink);
  EXPECT_EQ(reader.counts().overwritten, 0u);
  for (const std::uint64_t number : {4, 5, 6}) fake.write_backward(numbered_record(number, half));
  reader.snapshot(0, sink);
  EXPECT_EQ(reader.counts().overwritten, half);  // record 4
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2, 2, 3, 5, 6));
}

TEST(OverwrittenRing, ImpossibleSizeEndsTheWalk) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  fake.write_backward(numbered_record(1, 16));
  fake.write_backward(BytesBuilder().u32(PERF_RECORD_SAMPLE).u16(0).u16(0).view());
  fake.write_backward(numbered_record(2, 16));
  reader.snapshot(0, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(2));
}

}  // namespace
}  // namespace perfsift::record
