#include "record/rings/ring_reader.h"

#include <array>
#include <chrono>
#include <stop_token>
#include <thread>
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
RingCopy settled_copy(const RingReader& reader) {
  RingCopy copy = reader.copy(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  reader.settle(copy);
  return copy;
}
void give_all(RingReader& reader, RecordSink& sink) { reader.give(settled_copy(reader), sink); }

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

// What the kernel wrote as the third listener of a BPF program's end: see reader/format/garbage.h. The trailer has
// TID, TIME, CPU and IDENTIFIER.
TEST(RingReader, GarbageBehindARecordIsCutOff) {
  FakeRing fake;
  RingReader reader(Ring::over(fake.memory(), Ring::Kind::ordinary), 32);
  const auto symbol = [](std::size_t garbage) {
    return BytesBuilder().record(PERF_RECORD_KSYMBOL, 0,
                                 BytesBuilder()
                                     .u64(0xffffffffc0022108)
                                     .u32(23)
                                     .u16(1)
                                     .u16(1)
                                     .text("bpf_prog_62efe59b7d4f5ea1")
                                     .zeros(7)
                                     .u32(23931)
                                     .u32(23931)
                                     .u64(2408428560411)
                                     .u64(1)
                                     .u64(294)
                                     .zeros(garbage)
                                     .view());
  };
  NumberSink sink;
  fake.write(numbered_record(1, fake.capacity() - 64));
  pass(reader, sink);
  class Copy : public RecordSink {
   public:
    void records(std::size_t, Bytes some) override { bytes.insert(bytes.end(), some.begin(), some.end()); }
    void round() override {}
    std::vector<std::byte> bytes;
  } copy;
  fake.write(symbol(64).view());  // wraps
  fake.write(numbered_record(2, 24));
  fake.write(symbol(32).view());
  fake.write(symbol(0).view());
  fake.write(numbered_record(3, 24));
  pass(reader, copy);
  std::vector<std::byte> expected;
  for (const auto& record :
       {symbol(0).take(), numbered_record(2, 24), symbol(0).take(), symbol(0).take(), numbered_record(3, 24)})
    expected.insert(expected.end(), record.begin(), record.end());
  EXPECT_EQ(copy.bytes, expected);
  EXPECT_EQ(reader.counts().damaged, 0u);
}

TEST(OverwrittenRing, RingThatHasNotWrappedGivesAllRecordsTheOldestFirst) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  for (const std::uint64_t number : {1, 2, 3}) fake.write_backward(numbered_record(number, 24 + 8 * number));
  give_all(reader, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2, 3));
  EXPECT_EQ(reader.counts().overwritten, 0u);
}

TEST(OverwrittenRing, CopyKeepsWhatIsOverwrittenLater) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  const std::size_t half = fake.capacity() / 2;
  fake.write_backward(numbered_record(1, half));
  const RingCopy first = settled_copy(reader);
  for (const std::uint64_t number : {2, 3}) fake.write_backward(numbered_record(number, half));
  const RingCopy second = settled_copy(reader);
  reader.give(first, sink);
  reader.give(second, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2, 3));
  EXPECT_EQ(reader.counts().overwritten, 0u);
}

TEST(OverwrittenRing, CopyLosesWhatWasOverwrittenWhileItWasMade) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  const std::size_t half = fake.capacity() / 2;
  for (const std::uint64_t number : {1, 2}) fake.write_backward(numbered_record(number, half));
  RingCopy copy = reader.copy(0);
  fake.write_backward(numbered_record(3, half));
  reader.settle(copy);
  reader.give(copy, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(2));
}

TEST(OverwrittenRing, RingWithoutRecordsGivesNothing) {
  const FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  give_all(reader, sink);
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
  give_all(reader, sink);
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
  give_all(reader, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2));
  EXPECT_EQ(reader.counts().overwritten, 0u);
}

TEST(OverwrittenRing, OnlyBytesThatNoSnapshotHasSeenAreLost) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  const std::size_t half = fake.capacity() / 2;
  for (const std::uint64_t number : {1, 2}) fake.write_backward(numbered_record(number, half));
  give_all(reader, sink);
  fake.write_backward(numbered_record(3, half));  // over record 1, which was seen
  give_all(reader, sink);
  EXPECT_EQ(reader.counts().overwritten, 0u);
  for (const std::uint64_t number : {4, 5, 6}) fake.write_backward(numbered_record(number, half));
  give_all(reader, sink);
  EXPECT_EQ(reader.counts().overwritten, half);  // record 4
  EXPECT_THAT(sink.numbers, ElementsAre(1, 2, 2, 3, 5, 6));
}

// Unlike the kernel, this writer can be preempted within a record, which then takes the place of the oldest ones.
TEST(OverwrittenRing, SnapshotsBesideAWriterHaveNoGap) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  std::jthread writer([&](const std::stop_token& stop) {
    for (std::uint64_t number = 1; !stop.stop_requested(); ++number) {
      fake.write_backward(numbered_record(number, 16 + 8 * (number % 5)));
      std::this_thread::sleep_for(std::chrono::microseconds(50));  // else all is overwritten while it is copied
    }
  });
  std::size_t seen = 0;
  for (int i = 0; i < 50; ++i) {
    NumberSink sink;
    give_all(reader, sink);
    constexpr std::size_t most_torn = 8;
    for (std::size_t j = most_torn + 1; j < sink.numbers.size(); ++j)
      ASSERT_EQ(sink.numbers[j], sink.numbers[j - 1] + 1);
    seen += sink.numbers.size();
  }
  EXPECT_GT(seen, 0u);
}

TEST(OverwrittenRing, ImpossibleSizeEndsTheWalk) {
  FakeRing fake;
  RingReader reader = overwritten_reader(fake);
  NumberSink sink;
  fake.write_backward(numbered_record(1, 16));
  fake.write_backward(BytesBuilder().u32(PERF_RECORD_SAMPLE).u16(0).u16(0).view());
  fake.write_backward(numbered_record(2, 16));
  give_all(reader, sink);
  EXPECT_THAT(sink.numbers, ElementsAre(2));
}

}  // namespace
}  // namespace perfsift::record
