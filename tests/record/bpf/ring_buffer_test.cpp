#include "record/bpf/ring_buffer.h"

#include <string>

#include <gmock/gmock.h>

#include "tests/record/bpf/fake_ring_buffer.h"

namespace perfsift::record {
namespace {

using test::FakeRingBuffer;

std::string text_of_next(RingBuffer& ring) {
  const auto payload = ring.next();
  if (!payload) return "nothing";
  return {reinterpret_cast<const char*>(payload->data()), payload->size()};
}

TEST(RingBuffer, GivesRecordsInOrderAndRoomBack) {
  FakeRingBuffer fake;
  RingBuffer ring = RingBuffer::over(fake.memory(), RingBuffer::Access::consume);
  EXPECT_EQ(text_of_next(ring), "nothing");
  fake.write("one");
  fake.write("eight+eight+four", FakeRingBuffer::discarded);
  fake.write("three");
  EXPECT_EQ(text_of_next(ring), "one");
  EXPECT_EQ(fake.consumer(), 0u);
  EXPECT_TRUE(ring.release());
  EXPECT_EQ(fake.consumer(), 16u);  // 8 of the header, 3 rounded up to 8
  EXPECT_EQ(text_of_next(ring), "three");
  EXPECT_TRUE(ring.release());
  EXPECT_EQ(fake.consumer(), fake.producer());
}

TEST(RingBuffer, WaitsForARecordThatIsBeingWritten) {
  FakeRingBuffer fake;
  RingBuffer ring = RingBuffer::over(fake.memory(), RingBuffer::Access::consume);
  fake.write("first", FakeRingBuffer::busy);
  fake.write("second");
  EXPECT_EQ(text_of_next(ring), "nothing");
  fake.set_flags(0, 0);
  EXPECT_EQ(text_of_next(ring), "first");
}

TEST(RingBuffer, RecordsThatWrapAreWhole) {
  FakeRingBuffer fake;
  RingBuffer ring = RingBuffer::over(fake.memory(), RingBuffer::Access::consume);
  const std::string large(fake.capacity() * 2 / 3, 'x');
  for (int i = 0; i < 5; ++i) {
    fake.write(large + std::to_string(i));
    EXPECT_EQ(text_of_next(ring), large + std::to_string(i));
    EXPECT_TRUE(ring.release());
  }
}

TEST(RingBuffer, ImpossibleLengthsAreCounted) {
  FakeRingBuffer fake;
  RingBuffer ring = RingBuffer::over(fake.memory(), RingBuffer::Access::consume);
  fake.write("one");
  fake.set_length(0, 1000);
  EXPECT_EQ(text_of_next(ring), "nothing");
  EXPECT_EQ(ring.damaged(), 16u);
  fake.write("two");
  EXPECT_EQ(text_of_next(ring), "two");
}

TEST(RingBuffer, PeekingChangesNothing) {
  FakeRingBuffer fake;
  fake.write("old");
  fake.consume(16);
  fake.write("one");
  RingBuffer ring = RingBuffer::over(fake.memory(), RingBuffer::Access::peek);
  EXPECT_EQ(text_of_next(ring), "one");
  EXPECT_TRUE(ring.release());
  EXPECT_EQ(text_of_next(ring), "nothing");
  EXPECT_EQ(fake.consumer(), 16u);
}

// The other reader gave everything back, and the kernel wrote more than the whole ring.
TEST(RingBuffer, PeekingSeesThatItWasOvertaken) {
  FakeRingBuffer fake;
  RingBuffer ring = RingBuffer::over(fake.memory(), RingBuffer::Access::peek);
  fake.write("one");
  EXPECT_EQ(text_of_next(ring), "one");
  const std::string half(fake.capacity() / 2 - 8, 'x');
  for (int i = 0; i < 3; ++i) fake.consume(fake.producer()), fake.write(half + "");
  EXPECT_FALSE(ring.release());
  EXPECT_EQ(text_of_next(ring), half);
  EXPECT_EQ(ring.overtaken(), 16 + fake.capacity());
}

}  // namespace
}  // namespace perfsift::record
