#include "reader/event_table.h"

#include <list>

#include <gtest/gtest.h>

#include "tests/support/bytes.h"
#include "tests/support/recording_builder.h"

namespace perfsift::reader {
namespace {

namespace bit = sample_bit;
using test::BytesBuilder;

// Owns the bytes of the records that the tests make.
class EventTableTest : public testing::Test {
 protected:
  Record record(BytesBuilder payload, RecordType type = RecordType::sample) {
    return {.header = {.type = type}, .payload = kept_.emplace_back(payload.take())};
  }
  std::uint32_t index_of_sample(BytesBuilder payload) { return events.of_sample(record(std::move(payload)))->index; }

  EventTable events;

 private:
  std::list<std::vector<std::byte>> kept_;
};

TEST_F(EventTableTest, WithoutEventsARecordHasNoEvent) {
  EXPECT_EQ(events.of_sample(record(BytesBuilder().u64(1))), nullptr);
  EXPECT_EQ(events.of_trailer(record(BytesBuilder().u64(1))), nullptr);
  EXPECT_EQ(events.sample_time(record(BytesBuilder().u64(1))), no_time);
  EXPECT_FALSE(events.ordered());
}

TEST_F(EventTableTest, WithOneEventTheIdIsNotLookedAt) {
  events.add({.sample_type = bit::id | bit::ip}, {31});
  EXPECT_EQ(index_of_sample(BytesBuilder().u64(0x401000).u64(999)), 0u);
}

TEST_F(EventTableTest, TheIdentifierIsTheFirstWordOfASample) {
  events.add({.sample_type = bit::identifier | bit::ip}, {31});
  events.add({.sample_type = bit::identifier | bit::ip | bit::addr}, {32, 33});
  EXPECT_EQ(index_of_sample(BytesBuilder().u64(31).u64(0x401000)), 0u);
  EXPECT_EQ(index_of_sample(BytesBuilder().u64(33).u64(0x401000).u64(0)), 1u);
}

TEST_F(EventTableTest, TheIdComesAfterIpThreadTimeAndAddress) {
  const EventAttr attr{.sample_type = bit::ip | bit::tid | bit::time | bit::addr | bit::id};
  events.add(attr, {31});
  events.add(attr, {32});
  EXPECT_EQ(index_of_sample(BytesBuilder().u64(1).u64(2).u64(3).u64(4).u64(32)), 1u);
}

TEST_F(EventTableTest, IdZeroIsTheFirstEvent) {
  events.add({.sample_type = bit::identifier}, {31});
  events.add({.sample_type = bit::identifier}, {32});
  EXPECT_EQ(index_of_sample(BytesBuilder().u64(0)), 0u);
}

TEST_F(EventTableTest, AnUnknownIdBelongsToNoEvent) {
  events.add({.sample_type = bit::identifier}, {31});
  events.add({.sample_type = bit::identifier}, {32});
  EXPECT_EQ(events.of_sample(record(BytesBuilder().u64(99))), nullptr);
}

TEST_F(EventTableTest, AnIdGivenTwiceStaysWithTheFirst) {
  events.add({.sample_type = bit::identifier}, {31});
  events.add({.sample_type = bit::identifier}, {31});
  EXPECT_EQ(index_of_sample(BytesBuilder().u64(31)), 0u);
}

TEST_F(EventTableTest, EveryOneOfManyIdsIsFound) {
  constexpr std::uint64_t count = 1000, apart = std::uint64_t{1} << 40;  // all low bits are equal
  for (std::uint64_t i = 0; i < count; ++i) events.add({.sample_type = bit::identifier}, {1 + i * apart});
  for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(index_of_sample(BytesBuilder().u64(1 + i * apart)), i);
  EXPECT_EQ(events.find(1 + count * apart), nullptr);
}

TEST_F(EventTableTest, OtherRecordsHaveTheirIdNearTheEnd) {
  const EventAttr attr{.sample_type = bit::tid | bit::id | bit::cpu, .flags = test::sample_id_all};
  events.add(attr, {31});
  events.add(attr, {32});
  const Record exit = record(BytesBuilder().u64(31).u32(1).u32(2).u64(32).u32(3).u32(0), RecordType::exit);
  EXPECT_EQ(events.of_trailer(exit)->index, 1u);
  EXPECT_EQ(events.identify(exit).tid, 2);
  EXPECT_EQ(events.identify(exit).cpu, 3);
}

// perf_event_ksymbol_output() in the kernel: the third event that gets a record finds the trailers of two others behind
// it. See reader/format/garbage.h.
TEST_F(EventTableTest, GarbageBehindTheTrailerIsNoTrailer) {
  const EventAttr attr{.sample_type = bit::tid | bit::time | bit::identifier, .flags = test::sample_id_all};
  events.add(attr, {31});
  events.add(attr, {32});
  for (const std::size_t garbage : {0, 24, 48}) {
    const auto expect_found = [&](const BytesBuilder& content, RecordType type) {
      BytesBuilder bytes = content;
      bytes.u32(7).u32(8).u64(9).u64(32).zeros(garbage);
      const Record found = record(bytes, type);
      EXPECT_EQ(events.of_trailer(found)->index, 1u) << garbage;
      EXPECT_EQ(events.identify(found).tid, 8) << garbage;
      EXPECT_EQ(events.identify(found).time, 9u) << garbage;
    };
    expect_found(BytesBuilder().u64(1).u32(2).u16(1).u16(0).padded("bpf_prog_6deef7357e7b4530"), RecordType::ksymbol);
    expect_found(BytesBuilder().u16(1).u16(0).u32(13).u64(0x3045), RecordType::bpf_event);
    expect_found(BytesBuilder().u64(1).u16(3).u16(5).text("12345678").zeros(4), RecordType::text_poke);
  }
  // Other records end with their trailer.
  const Record exit = record(BytesBuilder().u64(1).u32(7).u32(8).u64(9).u64(32).zeros(24), RecordType::exit);
  EXPECT_EQ(events.of_trailer(exit)->index, 0u);
}

TEST_F(EventTableTest, ARecordTooShortForAnIdIsTheFirstEvents) {
  const EventAttr attr{.sample_type = bit::id | bit::cpu, .flags = test::sample_id_all};
  events.add(attr, {31});
  events.add(attr, {32});
  EXPECT_EQ(events.of_trailer(record(BytesBuilder().u64(32), RecordType::switch_))->index, 0u);
}

TEST_F(EventTableTest, TheTimeComesAfterIdentifierIpAndThread) {
  events.add({.sample_type = bit::identifier | bit::ip | bit::tid | bit::time | bit::addr}, {});
  EXPECT_EQ(events.sample_time(record(BytesBuilder().u64(1).u64(2).u64(3).u64(4).u64(5))), 4u);
  EXPECT_EQ(events.sample_time(record(BytesBuilder().u64(1).u64(2).u64(3))), no_time);
}

TEST_F(EventTableTest, EventsMayHaveTheirTimesInDifferentPlaces) {
  events.add({.sample_type = bit::identifier | bit::ip | bit::time}, {31});
  events.add({.sample_type = bit::identifier | bit::time}, {32});
  events.add({.sample_type = bit::identifier}, {33});
  EXPECT_EQ(events.sample_time(record(BytesBuilder().u64(31).u64(2).u64(3))), 3u);
  EXPECT_EQ(events.sample_time(record(BytesBuilder().u64(32).u64(2).u64(3))), 2u);
  EXPECT_EQ(events.sample_time(record(BytesBuilder().u64(33).u64(2).u64(3))), no_time);
}

TEST_F(EventTableTest, GroupsGiveTheirMembersALeader) {
  for (int i = 0; i < 4; ++i) events.add({}, {});
  Features features;
  features.groups = {{.name = "pair", .leader = 1, .members = 2},
                     {.name = "overlapping", .leader = 2, .members = 2},
                     {.name = "beyond", .leader = 3, .members = 0xffffffff}};
  events.name_events(features, nullptr);
  EXPECT_EQ(events.events()[0]->leader, 0u);
  EXPECT_EQ(events.events()[2]->leader, 1u);
  EXPECT_EQ(events.events()[2]->group_name, "pair");
  EXPECT_EQ(events.events()[3]->leader, 3u);
  EXPECT_EQ(events.events()[3]->group_name, "beyond");
}

}  // namespace
}  // namespace perfsift::reader
