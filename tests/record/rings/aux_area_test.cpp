// The rules of positions are those of perf_aux_output_begin() and perf_aux_output_end() in
// kernel/events/ring_buffer.c, and of __auxtrace_mmap__read() in tools/perf/util/auxtrace.c.
#include "record/rings/aux_area.h"

#include <cerrno>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/writer/records/auxtrace.h"
#include "tests/record/live.h"
#include "tests/record/perf_beside.h"
#include "tests/record/rings/fake_area.h"

namespace perfsift::record {
namespace {

using test::FakeArea;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t area_bytes = 64;

std::vector<std::byte> letters(std::string_view text) {
  const Bytes bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Keeps pieces as "POSITION:FIRST|SECOND".
class PieceSink : public RecordSink {
 public:
  void records(std::size_t, Bytes) override { events.emplace_back("records"); }
  void trace(const TracePiece& piece) override {
    events.push_back(fmt::format("{}:{}|{}", piece.position, text_of(piece.bytes.first), text_of(piece.bytes.second)));
    place = {piece.tid, piece.cpu};
    ring = piece.ring;
  }
  void round() override {}

  std::vector<std::string> events;
  std::pair<std::int32_t, std::int32_t> place;
  std::size_t ring = 0;
};

// Returns whether there was trace.
bool pass_on(RingReader& reader, RecordSink& sink) {
  reader.look();
  reader.pass_on(3, sink);
  return reader.emptied_area();
}

TEST(AuxArea, EmptyAreaGivesNothing) {
  FakeArea fake(area_bytes);
  RingReader reader = fake.reader();
  PieceSink sink;
  EXPECT_FALSE(pass_on(reader, sink));
  EXPECT_THAT(sink.events, IsEmpty());
  EXPECT_EQ(fake.tail(), 0u);
}

TEST(AuxArea, NewBytesComeOnceAndTheirRoomIsGivenBack) {
  FakeArea fake(area_bytes);
  RingReader reader = fake.reader();
  PieceSink sink;
  fake.write(letters("abc"));
  EXPECT_TRUE(pass_on(reader, sink));
  EXPECT_EQ(fake.tail(), 3u);
  fake.write(letters("de"));
  EXPECT_TRUE(pass_on(reader, sink));
  EXPECT_FALSE(pass_on(reader, sink));
  EXPECT_THAT(sink.events, ElementsAre("0:abc|", "3:de|"));
  EXPECT_EQ(fake.tail(), 5u);
  EXPECT_EQ(reader.counts().trace.bytes, 5u);
}

TEST(AuxArea, PieceHasTheRingAndItsPlace) {
  FakeArea fake(area_bytes);
  RingReader reader = fake.reader(7, 2);
  PieceSink sink;
  fake.write(letters("a"));
  pass_on(reader, sink);
  EXPECT_EQ(sink.ring, 3u);
  EXPECT_EQ(sink.place, std::pair(7, 2));
}

// record__mmap_read_evlist() in tools/perf/builtin-record.c
TEST(AuxArea, TraceComesAfterTheRecordsOfItsRing) {
  FakeArea fake(area_bytes);
  RingReader reader = fake.reader();
  PieceSink sink;
  fake.write(letters("a"));
  fake.ring().write(reader::encode_aux({.offset = 0, .size = 1}, {}));
  pass_on(reader, sink);
  EXPECT_THAT(sink.events, ElementsAre("records", "0:a|"));
}

TEST(AuxArea, TraceThatWrapsComesInTwoParts) {
  FakeArea fake(area_bytes);
  RingReader reader = fake.reader();
  PieceSink sink;
  fake.write(letters(std::string(62, 'x')));
  pass_on(reader, sink);
  fake.write(letters("abcde"));
  pass_on(reader, sink);
  EXPECT_EQ(sink.events.back(), "62:ab|cde");
  EXPECT_EQ(fake.tail(), 67u);
}

TEST(AuxArea, FullAreaComesWhole) {
  FakeArea fake(area_bytes);
  RingReader reader = fake.reader();
  PieceSink sink;
  fake.write(letters("abcd"));
  pass_on(reader, sink);
  fake.write(letters(std::string(area_bytes, 'y')));
  pass_on(reader, sink);
  EXPECT_EQ(sink.events.back(), "4:" + std::string(60, 'y') + "|yyyy");
}

// The kernel never moves the head past unread bytes of an area that is not overwritten.
TEST(AuxArea, HeadThatIsTooFarGivesTheNewestBytesAndCountsTheOthers) {
  FakeArea fake(area_bytes);
  RingReader reader = fake.reader();
  PieceSink sink;
  fake.write(letters(std::string(area_bytes, 'z')));
  fake.set_head(1000);
  EXPECT_TRUE(pass_on(reader, sink));
  EXPECT_EQ(sink.events.back(), "936:" + std::string(24, 'z') + "|" + std::string(40, 'z'));
  EXPECT_EQ(fake.tail(), 1000u);
  EXPECT_EQ(reader.counts().damaged, 936u);
}

TEST(AuxArea, HeadThatGoesBackGivesNoMoreThanTheArea) {
  FakeArea fake(area_bytes);
  RingReader reader = fake.reader();
  PieceSink sink;
  fake.write(letters("abcd"));
  pass_on(reader, sink);
  fake.set_head(1);
  pass_on(reader, sink);
  EXPECT_EQ(reader.counts().trace.bytes, 4 + area_bytes);
  EXPECT_EQ(fake.tail(), 1u);
}

TEST(AuxArea, FlagsOfAuxRecordsAreCounted) {
  FakeArea fake(area_bytes);
  RingReader reader = fake.reader();
  // PERF_AUX_FLAG_TRUNCATED, OVERWRITE, PARTIAL and COLLISION of include/uapi/linux/perf_event.h.
  for (const std::uint64_t flags : {0x1u, 0x2u, 0x4u, 0x8u, 0x9u})
    fake.ring().write(reader::encode_aux({.offset = 0, .size = 8, .flags = flags}, {}));
  PieceSink sink;
  pass_on(reader, sink);
  EXPECT_EQ(reader.counts().trace.truncated, 2u);
  EXPECT_EQ(reader.counts().trace.partial, 1u);
  EXPECT_EQ(reader.counts().trace.collisions, 2u);
  EXPECT_EQ(reader.counts().samples, 0u);
}

// The kernel looks at the place and the size of the area before it asks whether the PMU has one (perf_mmap(), then
// rb_alloc_aux()): EOPNOTSUPP says that they were right.
TEST(AuxArea, KernelAcceptsPlaceAndSizeOfTheArea) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Counter::Refused refused;
  const auto counter = Counter::open(test::page_faults().attr, {.tid = 0}, refused);
  ASSERT_TRUE(counter);
  const auto ring = Ring::map(*counter, 4, Ring::Kind::ordinary);
  ASSERT_TRUE(ring);
  errno = 0;
  EXPECT_FALSE(AuxArea::map(*counter, *ring, least_aux_bytes()));
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_FALSE(AuxArea::map(*counter, *ring, 3 * least_aux_bytes()));
  EXPECT_EQ(errno, EINVAL);
}

// perf_read_tsc_conversion() in tools/perf/util/tsc.c.
TEST(TimeConversion, IsReadFromThePageOfTheRing) {
  FakeArea fake(area_bytes);
  perf_event_mmap_page& page = fake.control();
  page.cap_user_time_zero = 1;
  page.cap_user_time_short = 1;
  page.time_shift = 24;
  page.time_mult = 671088640;
  page.time_zero = 0x123456789;
  page.time_cycles = 77;
  page.time_mask = 0xffffffffffffff;
  const auto conversion = fake.over_ring().time_conversion();
  ASSERT_TRUE(conversion);
  EXPECT_EQ(conversion->shift, 24u);
  EXPECT_EQ(conversion->multiplier, 671088640u);
  EXPECT_EQ(conversion->zero, 0x123456789u);
  ASSERT_TRUE(conversion->short_counter);
  EXPECT_EQ(conversion->short_counter->cycles, 77u);
  EXPECT_EQ(conversion->short_counter->mask, 0xffffffffffffffu);
  EXPECT_TRUE(conversion->short_counter->has_time_zero);
  EXPECT_TRUE(conversion->short_counter->has_short_time);
}

// perf writes TIME_CONV if the page has what it needs (perf_event__synth_time_conv()). The offset belongs to a CPU.
TEST(TimeConversion, IsThatOfPerf) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  const PerfBeside perf("-e page-faults:u true");
  if (!perf.recording) GTEST_SKIP() << perf.why_not;
  std::optional<reader::TimeConv> expected;
  perf.recording->visit_records([&](const reader::Record& record) {
    if (record.header.type == reader::RecordType::time_conv) expected = reader::decode_time_conv(record);
  });
  Counter::Refused refused;
  const auto counter = Counter::open(test::page_faults().attr, {.tid = 0}, refused);
  ASSERT_TRUE(counter);
  const auto ring = Ring::map(*counter, 1, Ring::Kind::ordinary);
  ASSERT_TRUE(ring);
  const auto conversion = ring->time_conversion();
  ASSERT_EQ(conversion.has_value(), expected.has_value());
  if (!expected) return;
  EXPECT_EQ(conversion->shift, expected->shift);
  EXPECT_EQ(conversion->multiplier, expected->multiplier);
}

TEST(TimeConversion, IsMissingWhereTheKernelDoesNotOfferIt) {
  FakeArea fake(area_bytes);
  fake.control().time_mult = 1;
  EXPECT_FALSE(fake.over_ring().time_conversion());
}

TEST(TimeConversion, PageThatIsBeingWrittenForEverGivesNothing) {
  FakeArea fake(area_bytes);
  fake.control().cap_user_time_zero = 1;
  fake.control().lock = 1;
  EXPECT_FALSE(fake.over_ring().time_conversion());
}

}  // namespace
}  // namespace perfsift::record
