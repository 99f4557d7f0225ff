#include "reader/recording.h"

#include <algorithm>
#include <bit>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/reader/reading.h"
#include "tests/support/full_recording.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"

namespace perfsift::reader {
namespace {

namespace bit = sample_bit;
using test::BytesBuilder;
using test::read_directory;
using test::read_file;
using test::read_stream;
using test::RecordingBuilder;
using test::Seen;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// The ways to read a recording, all of which must give the same result.
enum class Way { file, pipe_form_file, pipe, pipe_byte_by_byte };

class EveryWay : public testing::TestWithParam<Way> {
 protected:
  Seen read(const RecordingBuilder& in) const {
    switch (GetParam()) {
      case Way::file:
        return read_file(in.file());
      case Way::pipe_form_file:
        return read_file(in.pipe());
      case Way::pipe:
        return read_stream(in.pipe());
      default:
        return read_stream(in.pipe(), 1);
    }
  }
};

std::string name_of_way(const testing::TestParamInfo<Way>& way) {
  constexpr const char* names[] = {"File", "PipeFormFile", "Pipe", "PipeByteByByte"};
  return names[static_cast<int>(way.param)];
}
INSTANTIATE_TEST_SUITE_P(Recording, EveryWay,
                         testing::Values(Way::file, Way::pipe_form_file, Way::pipe, Way::pipe_byte_by_byte),
                         name_of_way);

std::vector<std::byte> copied(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// --- order

TEST_P(EveryWay, RecordsComeInTheOrderOfTheirTimes) {
  RecordingBuilder in;
  in.timed_event().sample_at(20).sample_at(40).comm_at(10, 7, "x").sample_at(30).round();
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(10, 20, 30, 40));
  EXPECT_EQ(seen.stats.out_of_order, 0u);
}

// perf script 6.1 prints 300 before 100 here.
TEST_P(EveryWay, WithoutSampleIdAllRecordsComeInTheOrderOfTheFile) {
  RecordingBuilder in;
  in.timed_event(0).sample_at(300).sample_at(100).round().round();
  EXPECT_THAT(read(in).times, ElementsAre(300, 100));
}

TEST_P(EveryWay, EqualTimesKeepTheOrderOfTheFile) {
  RecordingBuilder in;
  in.timed_event().sample_at(10, 0xa).sample_at(5, 0xb).sample_at(10, 0xc).sample_at(5, 0xd);
  std::vector<std::uint64_t> ips;
  for (const auto& sample : read(in).samples) ips.push_back(sample.ip);
  EXPECT_THAT(ips, ElementsAre(0xb, 0xd, 0xa, 0xc));
}

// Records that perf synthesises before it records have time 0, and take effect when they are read.
TEST_P(EveryWay, RecordsWithoutATimeComeWhenTheyAreRead) {
  RecordingBuilder in;
  in.timed_event().sample_at(100).comm_at(0, 7, "x").comm_at(no_time, 7, "y").sample_at(50);
  EXPECT_THAT(read(in).times, ElementsAre(0, no_time, 50, 100));
}

TEST_P(EveryWay, LateRecordsComeWhenTheyAreFoundAndAreCounted) {
  RecordingBuilder in;
  in.timed_event().sample_at(100).sample_at(300).round().round().sample_at(200).round().sample_at(50);
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(100, 300, 200, 50));
  EXPECT_EQ(seen.stats.out_of_order, 2u);
}

TEST_P(EveryWay, PerfsOwnRecordsAreNeverQueued) {
  RecordingBuilder in;
  in.timed_event().sample_at(1).round().record(RecordType::finished_init, in.bytes());
  in.record(RecordType::time_conv, in.bytes().zeros(24));
  const Seen seen = read(in);
  // HEADER_ATTR comes first in pipe form.
  const auto perfs = std::ranges::find(seen.records, RecordType::finished_round);
  EXPECT_THAT(std::vector(perfs, seen.records.end()),
              ElementsAre(RecordType::finished_round, RecordType::finished_init, RecordType::time_conv));
  EXPECT_TRUE(seen.stats.whole());
}

// --- the content of a recording

TEST_P(EveryWay, SamplesGoToTheEventOfTheirId) {
  RecordingBuilder in;
  in.event({.sample_type = bit::identifier | bit::ip}, {31});
  in.event({.config = 1, .sample_type = bit::identifier | bit::ip | bit::addr}, {32, 33});
  in.record(RecordType::sample, in.bytes().u64(33).u64(0xa).u64(0));
  in.record(RecordType::sample, in.bytes().u64(31).u64(0xb));
  in.record(RecordType::sample, in.bytes().u64(0).u64(0xc));
  in.record(RecordType::sample, in.bytes().u64(99).u64(0xd));
  const Seen seen = read(in);
  ASSERT_THAT(seen.samples, SizeIs(3));
  EXPECT_EQ(seen.samples[0].event, 1u);
  EXPECT_EQ(seen.samples[1].event, 0u);
  EXPECT_EQ(seen.samples[2].event, 0u);
  EXPECT_EQ(seen.stats.unknown_ids, 1u);
}

// Every size that struct perf_event_attr ever had, and larger sizes of the future, with tails that are not zero.
TEST_P(EveryWay, AttrsMayHaveAnySize) {
  for (const std::uint32_t size : {64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 152, 256}) {
    RecordingBuilder in;
    in.event({.sample_type = bit::identifier | bit::ip, .size = size}, {31, 41});
    in.event({.sample_type = bit::identifier | bit::ip, .size = size}, {32});
    in.record(RecordType::sample, in.bytes().u64(32).u64(0xa));
    in.record(RecordType::sample, in.bytes().u64(41).u64(0xb));
    const Seen seen = read(in);
    ASSERT_THAT(seen.samples, SizeIs(2)) << size;
    EXPECT_EQ(seen.samples[0].event, 1u) << size;
    EXPECT_EQ(seen.samples[1].event, 0u) << size;
    EXPECT_TRUE(seen.stats.whole()) << size;
  }
}

TEST_P(EveryWay, AForeignByteOrder) {
  RecordingBuilder in(ByteOrder::swapped);
  in.timed_event().sample_at(20, 0x401000).comm_at(10, 7, "worker");
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(10, 20));
  EXPECT_EQ(seen.samples[0].ip, 0x401000u);
  EXPECT_EQ(seen.samples[0].tid, 7);
  EXPECT_TRUE(seen.stats.whole());
}

TEST_P(EveryWay, UnknownTypesAreCountedAndPassedOver) {
  RecordingBuilder in;
  in.timed_event().record_at(5, static_cast<RecordType>(40), in.bytes().u64(1));
  in.record(static_cast<RecordType>(120), in.bytes().u64(1)).record(static_cast<RecordType>(99999), in.bytes());
  in.sample_at(10);
  const Seen seen = read(in);
  EXPECT_THAT(seen.samples, SizeIs(1));
  EXPECT_THAT(seen.stats.unknown,
              ElementsAre(std::pair(static_cast<RecordType>(40), 1), std::pair(static_cast<RecordType>(120), 1),
                          std::pair(static_cast<RecordType>(99999), 1)));
  EXPECT_TRUE(seen.stats.whole());
}

TEST_P(EveryWay, DataThatFollowsARecordIsNotTakenForRecords) {
  RecordingBuilder in;
  in.timed_event().sample_at(10);
  in.record_and_data(RecordType::auxtrace, in.bytes().u64(40).zeros(32), BytesBuilder().zeros(40).view());
  in.record_and_data(RecordType::header_tracing_data, in.bytes().u32(20).u32(0), BytesBuilder().zeros(20).view());
  in.sample_at(20);
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(10, 20));
  EXPECT_EQ(seen.stats.records.at(RecordType::auxtrace), 1u);
  EXPECT_TRUE(seen.stats.whole());
}

TEST_P(EveryWay, FeaturesAreReadAndUnknownOnesListed) {
  RecordingBuilder in;
  in.timed_event().sample_at(10);
  in.feature(Feature::total_memory, in.bytes().u64(4096));
  in.feature(static_cast<Feature>(40), in.bytes().u64(1));
  const auto file = in.file(), pipe = in.pipe();
  std::unique_ptr<Recording> stream = test::stream_in_memory(pipe);
  test::see(*stream);
  const test::FileInMemory mapped(GetParam() == Way::file ? file : pipe);
  for (const Recording* recording : {stream.get(), &*mapped}) {
    EXPECT_EQ(recording->features().total_memory_kb, 4096u);
    EXPECT_THAT(recording->features().unknown, ElementsAre(40));
  }
}

TEST_P(EveryWay, CountsAreThoseOfTheFile) {
  RecordingBuilder in;
  in.timed_event().sample_at(30).sample_at(20).comm_at(10, 7, "x").round();
  const Seen seen = read(in);
  EXPECT_EQ(seen.stats.records.at(RecordType::sample), 2u);
  EXPECT_EQ(seen.stats.records.at(RecordType::comm), 1u);
  EXPECT_EQ(seen.stats.records.at(RecordType::finished_round), 1u);
  EXPECT_EQ(seen.stats.first_sample_time, 20u);
  EXPECT_EQ(seen.stats.last_sample_time, 30u);
}

// tools/include/uapi/linux/perf_event.h: LOST has an id and a count, and LOST_SAMPLES has a count. Both end with {pid
// and tid, time} here. A loss of 0 records, and samples that a BPF filter dropped, are not losses.
TEST_P(EveryWay, LossesHaveTheirTimes) {
  RecordingBuilder in;
  in.timed_event();
  in.record_at(150, RecordType::lost, in.bytes().u64(1).u64(7));
  in.record_at(160, RecordType::lost, in.bytes().u64(1).u64(0));
  in.record_at(170, RecordType::lost_samples, in.bytes().u64(3));
  in.record_at(180, RecordType::lost_samples, in.bytes().u64(4), misc::lost_samples_bpf);
  const Seen seen = read(in);
  std::vector<std::array<std::uint64_t, 3>> losses;
  for (const LostAt& at : seen.stats.lost_at) {
    losses.push_back({at.time, at.records, at.samples});
    EXPECT_EQ(at.cpu, -1);
  }
  using Loss = std::array<std::uint64_t, 3>;
  EXPECT_THAT(losses, ElementsAre(Loss{150, 7, 0}, Loss{170, 0, 3}));
}

// record__read_lost_samples() of perf 6.1 writes the counts of the events (PERF_FORMAT_LOST, 1 << 4) with time 0. The
// hardware's losses have the time at which the kernel heard of them.
TEST_P(EveryWay, WhatPerfCountsAtTheEndHasNoTime) {
  RecordingBuilder in;
  in.event({.sample_type = bit::ip | bit::tid | bit::time, .read_format = 16, .flags = test::sample_id_all});
  in.record_at(150, RecordType::lost, in.bytes().u64(1).u64(7));
  in.record_at(170, RecordType::lost_samples, in.bytes().u64(3));
  in.record_at(0, RecordType::lost_samples, in.bytes().u64(9));
  const Seen seen = read(in);
  EXPECT_THAT(seen.stats.lost_at, SizeIs(2));
  EXPECT_EQ(seen.stats.losses.lost_samples, 12u);
  EXPECT_EQ(seen.stats.losses.lost_samples_without_room, 9u);
  EXPECT_EQ(seen.stats.losses.told_twice(), 7u);
}

TEST_P(EveryWay, ASampleTooShortIsCountedAsMalformed) {
  RecordingBuilder in;
  in.timed_event().record(RecordType::sample, in.bytes().u64(1)).sample_at(10);
  const Seen seen = read(in);
  EXPECT_THAT(seen.samples, SizeIs(1));
  EXPECT_EQ(seen.stats.malformed.at(RecordType::sample), 1u);
}

// --- counters and deferred callchains

TEST_P(EveryWay, AGroupIsDeliveredOncePerMemberThatHasChanged) {
  constexpr std::uint64_t format = read_format::group | read_format::id;
  RecordingBuilder in;
  in.event({.sample_type = bit::time | bit::read, .read_format = format}, {31});
  in.event({.config = 1, .sample_type = bit::time | bit::read, .read_format = format}, {32});
  const auto group = [&](std::uint64_t time, std::uint64_t first, std::uint64_t second) {
    in.record(RecordType::sample, in.bytes().u64(time).u64(2).u64(first).u64(31).u64(second).u64(32));
  };
  group(1, 100, 7);
  group(2, 150, 7);
  group(3, 150, 9);
  using P = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>;
  std::vector<P> delivered;
  for (const auto& s : read(in).samples) delivered.emplace_back(s.time, s.event, s.period);
  EXPECT_THAT(delivered, ElementsAre(P(1, 0, 100), P(1, 1, 7), P(2, 0, 50), P(3, 1, 2)));
}

TEST_P(EveryWay, GroupMembersOfUnknownEventsAreCounted) {
  RecordingBuilder in;
  in.event({.sample_type = bit::read, .read_format = read_format::group | read_format::id}, {31});
  in.record(RecordType::sample, in.bytes().u64(2).u64(5).u64(99).u64(6).u64(31));
  const Seen seen = read(in);
  ASSERT_THAT(seen.samples, SizeIs(1));
  EXPECT_EQ(seen.samples[0].period, 6u);
  EXPECT_EQ(seen.stats.unknown_ids, 1u);
}

TEST_P(EveryWay, ADeferredCallchainCompletesTheSamplesThatWaitForIt) {
  constexpr std::uint64_t user = callchain_context::user, deferred = callchain_context::user_deferred;
  constexpr std::uint64_t kernel = callchain_context::kernel;
  RecordingBuilder in;
  in.event({.sample_type = bit::tid | bit::time | bit::callchain, .flags = test::sample_id_all});
  const auto sample = [&](std::uint32_t tid, std::uint64_t time, std::uint64_t cookie) {
    in.record(RecordType::sample,
              in.bytes().u32(7).u32(tid).u64(time).u64(4).u64(kernel).u64(0xffff).u64(deferred).u64(cookie));
  };
  sample(7, 10, 1);
  sample(8, 11, 1);  // of another thread; its CALLCHAIN_DEFERRED record is missing
  sample(7, 12, 1);
  in.record(RecordType::callchain_deferred, in.bytes().u64(1).u64(2).u64(user).u64(0x401000).u32(7).u32(7).u64(20));
  const Seen seen = read(in);
  ASSERT_THAT(seen.samples, SizeIs(3));
  EXPECT_THAT(seen.samples[0].callchain, ElementsAre(kernel, 0xffff, user, 0x401000));
  EXPECT_THAT(seen.samples[1].callchain, ElementsAre(kernel, 0xffff, deferred, 1));
  EXPECT_THAT(seen.samples[2].callchain, ElementsAre(kernel, 0xffff, user, 0x401000));
}

// --- compression

// The bytes in pieces of the given sizes, the rest in the last piece.
std::vector<std::vector<std::byte>> pieces(Bytes bytes, const std::vector<std::size_t>& sizes) {
  test::ZstdStream stream;
  std::vector<std::vector<std::byte>> out;
  for (const std::size_t size : sizes) {
    out.push_back(stream.piece(bytes.first(size)));
    bytes = bytes.subspan(size);
  }
  out.push_back(stream.piece(bytes));
  return out;
}

RecordingBuilder some_samples(int count) {
  RecordingBuilder in;
  std::mt19937_64 random(1);
  for (int i = 1; i <= count; ++i) in.sample_at(static_cast<std::uint64_t>(i), random());
  return in;
}

TEST_P(EveryWay, CompressedRecordsMayBeCutInTheMiddleOfARecord) {
  const RecordingBuilder content = some_samples(6);  // of 32 bytes each
  RecordingBuilder in;
  in.timed_event().compressed(pieces(content.records(), {3, 40, 1, 64, 33})).round();
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(seen.stats.records.at(RecordType::compressed), 6u);
  EXPECT_EQ(seen.stats.records.at(RecordType::sample), 6u);
  EXPECT_TRUE(seen.stats.whole());
}

TEST_P(EveryWay, PlainRecordsMayStandBetweenCompressedOnes) {
  const RecordingBuilder content = some_samples(4);
  const auto cut = pieces(content.records(), {40});
  RecordingBuilder in;
  in.timed_event().compressed({cut[0]}).round().comm_at(2, 7, "x").compressed({cut[1]}).sample_at(9);
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(1, 2, 2, 3, 4, 9));
  EXPECT_TRUE(seen.stats.whole());
}

TEST_P(EveryWay, Compressed2OfAnySize) {
  const RecordingBuilder content = some_samples(6);
  RecordingBuilder in;
  in.timed_event();
  for (const auto& piece : pieces(content.records(), {3, 41, 70})) in.compressed2({piece});
  in.sample_at(9);
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(1, 2, 3, 4, 5, 6, 9));
  EXPECT_TRUE(seen.stats.whole());
}

// A payload of 65519 bytes, the most that perf record writes: perf counts 65536 with padding, which is 0 in 16 bits.
TEST_P(EveryWay, Compressed2OfTheSizeThatWraps) {
  const RecordingBuilder content = some_samples(13'000);
  test::ZstdStream stream;
  const auto compressed = stream.piece(content.records());
  ASSERT_GT(compressed.size(), 2 * 65519u);
  const auto begin = compressed.begin();
  RecordingBuilder in;
  in.timed_event().compressed2({std::vector(begin, begin + 65519)});
  in.compressed2({std::vector(begin + 65519, begin + 131000)})
      .compressed2({std::vector(begin + 131000, compressed.end())});
  const Seen seen = read(in);
  EXPECT_THAT(seen.samples, SizeIs(13'000));
  EXPECT_TRUE(seen.stats.whole());
}

// The output of one flush, in one write. Only the first header, which is wrong, has the length of the whole write.
TEST_P(EveryWay, Compressed2OfSeveralSubRecords) {
  const RecordingBuilder content = some_samples(13'000);
  test::ZstdStream stream;
  const auto compressed = stream.piece(content.records());
  ASSERT_GT(compressed.size(), 2 * 65519u);
  const auto begin = compressed.begin();
  RecordingBuilder in;
  in.timed_event().compressed2({std::vector(begin, begin + 65519), std::vector(begin + 65519, begin + 2 * 65519),
                                std::vector(begin + 2 * 65519, compressed.end())});
  in.sample_at(99999);
  const Seen seen = read(in);
  EXPECT_THAT(seen.samples, SizeIs(13'001));
  EXPECT_EQ(seen.stats.records.at(RecordType::compressed2), 1u);
  EXPECT_TRUE(seen.stats.whole());
}

TEST_P(EveryWay, CompressedRecordsInsideCompressedOnesAreNotExpanded) {
  test::ZstdStream inner;
  RecordingBuilder nested;
  nested.compressed({inner.piece(some_samples(1).records())});
  RecordingBuilder in;
  in.timed_event().compressed(pieces(nested.records(), {})).sample_at(9);
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(9));
  ASSERT_THAT(seen.stats.damage, SizeIs(1));
  EXPECT_EQ(seen.stats.damage[0].bytes, nested.records().size());
}

TEST_P(EveryWay, ADamagedCompressedRecordLosesTheRestOfItsStreamAndNothingElse) {
  const RecordingBuilder content = some_samples(30);
  auto cut = pieces(content.records(), {320, 320});
  const std::size_t lost = cut[1].size() + cut[2].size();
  std::ranges::fill(cut[1], std::byte{0xff});
  RecordingBuilder in;
  in.timed_event().compressed({cut[0], cut[1]}).sample_at(100).compressed({cut[2]}).sample_at(101);
  const Seen seen = read(in);
  EXPECT_THAT(seen.samples, SizeIs(12));
  ASSERT_THAT(seen.stats.damage, SizeIs(1));
  EXPECT_EQ(seen.stats.damage[0].bytes, lost);
  EXPECT_THAT(seen.stats.damage[0].what, HasSubstr("cannot be expanded"));
}

TEST_P(EveryWay, ACompressedRecordThatExpandsWithoutEndIsRefused) {
  constexpr std::uint32_t unknown_type = 200;
  const std::vector<std::byte> nothing(65520);
  BytesBuilder records;
  while (records.size() < std::size_t{80} << 20) records.record(unknown_type, 0, nothing);
  test::ZstdStream stream;
  RecordingBuilder in;
  in.timed_event().compressed({stream.piece(records.view())}).sample_at(1);
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(1));
  EXPECT_FALSE(seen.stats.whole());
}

TEST_P(EveryWay, TheExpandedRecordsMayEndInTheMiddleOfOne) {
  const RecordingBuilder content = some_samples(3);
  RecordingBuilder in;
  in.timed_event().compressed(pieces(content.records().first(80), {}));
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(1, 2));
  ASSERT_THAT(seen.stats.damage, SizeIs(1));
  EXPECT_EQ(seen.stats.damage[0].bytes, 16u);
  EXPECT_EQ(seen.stats.damage[0].records, 1u);
}

// --- damage between records

TEST_P(EveryWay, JunkBetweenRecordsIsLeftOut) {
  RecordingBuilder in;
  in.timed_event();
  for (std::uint64_t time = 1; time <= 10; ++time) in.sample_at(time);
  in.raw(BytesBuilder().zeros(48).view());
  for (std::uint64_t time = 11; time <= 20; ++time) in.sample_at(time);
  const Seen seen = read(in);
  EXPECT_THAT(seen.samples, SizeIs(20));
  ASSERT_THAT(seen.stats.damage, SizeIs(1));
  EXPECT_EQ(seen.stats.damage[0].bytes, 48u);
  EXPECT_EQ(seen.stats.damage[0].what, "not a record: skipped to where records go on");
}

// simpleperf stores the formats of tracepoints inside the record.
TEST_P(EveryWay, SamplesBehindTracingDataOfSimpleperfAreFound) {
  RecordingBuilder in;
  const auto data = test::tracing_data(ByteOrder::native);
  const std::size_t padded = (data.size() + 63) / 64 * 64;
  in.timed_event().record(
      RecordType::header_tracing_data,
      in.bytes().u32(static_cast<std::uint32_t>(data.size())).bytes(data).zeros(padded - data.size()));
  for (std::uint64_t time = 1; time <= 200; ++time) in.sample_at(time);
  const Seen seen = read(in);
  EXPECT_THAT(seen.samples, SizeIs(200));
  EXPECT_TRUE(seen.stats.whole());
}

TEST(TracingDataOfSimpleperf, HasTheFormatsOfTracepoints) {
  RecordingBuilder in;
  const auto data = test::tracing_data(ByteOrder::native);
  in.timed_event().record(RecordType::header_tracing_data,
                          in.bytes().u32(static_cast<std::uint32_t>(data.size())).bytes(data).zeros(64));
  const test::FileInMemory recording(in.pipe());
  EXPECT_EQ(recording->features().tracing_data, data);
  EXPECT_NE(recording->tracepoints(), nullptr);
}

// The size of AUX data reaches into the samples behind the data. One sample is lost, and the others are found.
TEST_P(EveryWay, AJumpThatLeadsNowhereIsDamage) {
  RecordingBuilder in;
  in.timed_event().sample_at(1);
  in.record_and_data(RecordType::auxtrace, in.bytes().u64(24).zeros(32), BytesBuilder().zeros(16).view());
  for (std::uint64_t time = 2; time <= 20; ++time) in.sample_at(time, 0);
  const Seen seen = read(in);
  EXPECT_THAT(seen.samples, SizeIs(19));
  ASSERT_THAT(seen.stats.damage, SizeIs(1));
  EXPECT_EQ(seen.stats.damage[0].bytes, 24u);
  EXPECT_EQ(seen.stats.skipped_bytes, 24u);
  EXPECT_FALSE(seen.stats.unknown.contains(static_cast<RecordType>(0)));
}

TEST_P(EveryWay, SkippedBytesAreCounted) {
  RecordingBuilder in;
  in.timed_event();
  for (int i = 0; i < 10; ++i) in.sample_at(1);
  in.raw(BytesBuilder().zeros(320).view());
  for (int i = 0; i < 10; ++i) in.sample_at(1);
  const Seen seen = read(in);
  EXPECT_EQ(seen.stats.skipped_bytes, 320u);
}

TEST_P(EveryWay, OnlyTheRecordThatIsNotWholeIsLost) {
  RecordingBuilder in;
  in.timed_event().sample_at(1).sample_at(2).raw(BytesBuilder().u32(9).u16(0).u16(32).u64(5).view());
  const Seen seen = read(in);
  EXPECT_THAT(seen.times, ElementsAre(1, 2));
  ASSERT_THAT(seen.stats.damage, SizeIs(1));
  EXPECT_EQ(seen.stats.damage[0].bytes, 16u);
  EXPECT_EQ(seen.stats.damage[0].records, 1u);
}

TEST_P(EveryWay, DamageInThousandsOfPlacesIsSummedUp) {
  RecordingBuilder in;
  in.timed_event();
  for (std::uint64_t place = 1; place <= 2000; ++place) {
    for (int i = 0; i < 8; ++i) in.sample_at(place);
    in.raw(BytesBuilder().zeros(16).view());
  }
  const Seen seen = read(in);
  EXPECT_THAT(seen.samples, SizeIs(16000));
  EXPECT_THAT(seen.stats.damage, SizeIs(100));
  EXPECT_EQ(seen.damaged_bytes(), 32000u);
}

// --- the file form

// The header that perf record writes before it records, followed by 40 bytes of ids.
TEST(FileForm, AHeaderWithoutEventsIsThatOfAnUnbegunRecording) {
  const auto message_of = [](std::uint64_t attrs_size, std::uint64_t data_size) -> std::string {
    test::TemporaryDirectory directory;
    BytesBuilder file;
    file.text("PERFILE2").u64(104).u64(144).u64(104).u64(attrs_size).u64(104).u64(data_size);
    const std::string path = directory.write("killed.data", file.zeros(16 + 32 + 40).view());
    try {
      Recording::open(path);
    } catch (const InputError& error) {
      return std::string(error.what()).substr(path.size());
    }
    return "opened";
  };
  EXPECT_EQ(message_of(0, 0), ": no events in its header: perf record was stopped before it recorded anything");
  EXPECT_EQ(message_of(0, 40), ": no events in its header: the header is damaged");
}

TEST(FileForm, Version1HasAShorterHeader) {
  for (const ByteOrder order : {ByteOrder::native, ByteOrder::swapped}) {
    RecordingBuilder in(order);
    in.timed_event().sample_at(10);
    const test::FileInMemory recording(in.file({.version_1 = true}));
    EXPECT_EQ(recording->header().version, 1u);
    EXPECT_EQ(recording->header().order, order);
    EXPECT_THAT(test::see(*recording).times, ElementsAre(10));
  }
}

TEST(FileForm, ARecordingThatWasNeverFinishedIsReadToTheEnd) {
  RecordingBuilder in;
  in.timed_event().sample_at(10).sample_at(20);
  const Seen seen = read_file(in.file({.data_size = 0}));
  EXPECT_THAT(seen.times, ElementsAre(10, 20));
  ASSERT_THAT(seen.stats.damage, SizeIs(1));
  EXPECT_THAT(seen.stats.damage[0].what, HasSubstr("never finished"));
}

TEST(FileForm, AFileThatEndsTooEarlySaysHowMuchIsMissing) {
  RecordingBuilder in;
  in.timed_event().sample_at(10).sample_at(20).sample_at(30);
  auto file = in.file();
  file.resize(file.size() - 40);  // the last record, and 8 bytes of the record before
  const Seen seen = read_file(file);
  EXPECT_THAT(seen.times, ElementsAre(10));
  ASSERT_THAT(seen.stats.damage, SizeIs(2));
  EXPECT_EQ(seen.stats.damage[0].bytes, 40u);
  EXPECT_EQ(seen.stats.damage[0].offset, file.size());
  EXPECT_EQ(seen.stats.damage[1].bytes, 24u);
  EXPECT_EQ(seen.stats.damage[1].offset, file.size() - 24);
}

TEST(FileForm, BytesBehindTheFeaturesAreIgnored) {
  RecordingBuilder in;
  in.timed_event().sample_at(10).feature(Feature::total_memory, in.bytes().u64(1));
  auto file = in.file();
  file.resize(file.size() + 100, std::byte{0xee});
  const Seen seen = read_file(file);
  EXPECT_THAT(seen.times, ElementsAre(10));
  EXPECT_TRUE(seen.stats.whole());
}

TEST(FileForm, FeaturesOutsideTheFileAreDamageButTheOthersAreRead) {
  RecordingBuilder in;
  in.timed_event().sample_at(10);
  in.feature(Feature::total_memory, in.bytes().u64(4096)).feature(Feature::clock_id, in.bytes().u64(1));
  auto file = in.file();
  file.resize(file.size() - 4);
  const test::FileInMemory recording(file);
  EXPECT_EQ(recording->features().total_memory_kb, 4096u);
  EXPECT_EQ(recording->features().clock_resolution_ns, std::nullopt);
  ASSERT_THAT(recording->stats().damage, SizeIs(1));
  EXPECT_THAT(recording->stats().damage[0].what, HasSubstr("header features"));
}

// If all id lists had the same position, the list would be read once for each event.
TEST(FileForm, FeaturesThatOverlapAreReadUpToTheSizeOfTheFile) {
  RecordingBuilder in;
  in.timed_event().sample_at(10);
  for (std::uint32_t number = 100; number < 200; ++number) in.feature(static_cast<Feature>(number), in.bytes());
  auto file = in.file();
  const std::size_t table = file.size() - 100 * 16;
  for (std::size_t entry = table; entry < file.size(); entry += 16) {
    const auto section = BytesBuilder().u64(0).u64(file.size()).take();
    std::ranges::copy(section, file.begin() + static_cast<std::ptrdiff_t>(entry));
  }
  const test::FileInMemory recording(file);
  EXPECT_THAT(recording->features().present, ElementsAre(100));
  EXPECT_FALSE(recording->stats().whole());
}

TEST(FileForm, IdListsThatOverlapAreReadUpToTheSizeOfTheFile) {
  RecordingBuilder in;
  for (int i = 0; i < 50; ++i) in.event({.sample_type = bit::ip, .size = 64});
  auto file = in.file();
  for (std::size_t entry = 104; entry < file.size(); entry += 80) {
    const auto section = BytesBuilder().u64(0).u64(file.size() / 8 * 8).take();
    std::ranges::copy(section, file.begin() + static_cast<std::ptrdiff_t>(entry + 64));
  }
  const test::FileInMemory recording(file);
  EXPECT_EQ(recording->events().size(), 50u);
  EXPECT_EQ(recording->events()[0]->ids.size(), file.size() / 8);
  EXPECT_THAT(recording->events()[1]->ids, IsEmpty());
  EXPECT_FALSE(recording->stats().whole());
}

TEST(FileForm, OtherFilesAreRefused) {
  const auto why_not = [](const std::vector<std::byte>& bytes) -> std::string {
    try {
      const test::FileInMemory recording(bytes);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(why_not({}), HasSubstr("the file is empty"));
  EXPECT_THAT(why_not(BytesBuilder()
                          .text("\x7f"
                                "ELF\2\1\1")
                          .zeros(100)
                          .take()),
              HasSubstr("not a perf.data file"));
  EXPECT_THAT(why_not(BytesBuilder().text("PERFILE2").take()), HasSubstr("cut inside the perf.data header (8 bytes)"));
  EXPECT_THAT(why_not(BytesBuilder().text("PERFILE2").u64(105).zeros(200).take()), HasSubstr("header of 105 bytes"));
  EXPECT_THAT(why_not(RecordingBuilder().file()), HasSubstr("no events"));
  EXPECT_THAT(why_not(BytesBuilder().text("PERFFILE").u64(104).u64(1).zeros(80).take()), HasSubstr("byte order"));
}

// --- directories, containers, streams

// The file `data`, which always contains the records that perf writes before it starts to record.
RecordingBuilder directory_header() {
  RecordingBuilder header;
  header.timed_event().comm_at(0, 7, "x");
  return header;
}

TEST(Directory, StreamsOfThreadsAreMergedByTime) {
  const RecordingBuilder header = directory_header();
  const RecordingBuilder first = std::move(RecordingBuilder().sample_at(10).sample_at(30));
  const RecordingBuilder second = std::move(RecordingBuilder().sample_at(20).sample_at(40));
  const Seen seen = read_directory({header.file(), copied(first.records()), copied(second.records())});
  EXPECT_THAT(seen.times, ElementsAre(0, 10, 20, 30, 40));
  EXPECT_TRUE(seen.stats.whole());
}

TEST(Directory, EachThreadHasACompressedStreamOfItsOwn) {
  const RecordingBuilder header = directory_header();
  const auto thread = [](std::uint64_t time) {
    RecordingBuilder content;
    content.sample_at(time).sample_at(time + 2);
    RecordingBuilder in;
    in.compressed(pieces(content.records(), {40}));
    return copied(in.records());
  };
  const Seen seen = read_directory({header.file(), thread(10), thread(11)});
  EXPECT_THAT(seen.times, ElementsAre(0, 10, 11, 12, 13));
  EXPECT_TRUE(seen.stats.whole());
}

TEST(Directory, DamageNamesTheFile) {
  const RecordingBuilder header = directory_header();
  const RecordingBuilder thread = std::move(RecordingBuilder().sample_at(10).sample_at(30));
  const Seen seen = read_directory({header.file(), copied(thread.records().first(40))});
  EXPECT_THAT(seen.times, ElementsAre(0, 10));
  ASSERT_THAT(seen.stats.damage, SizeIs(1));
  EXPECT_EQ(seen.stats.damage[0].file, "file1");
  EXPECT_EQ(seen.stats.damage[0].offset, 32u);
  EXPECT_EQ(seen.stats.damage[0].bytes, 8u);
}

TEST(Directory, IsOpenedByItsName) {
  const test::TemporaryDirectory directory;
  directory.write("data", directory_header().file());
  directory.write("data.10", RecordingBuilder().sample_at(30).records());
  directory.write("data.9", RecordingBuilder().sample_at(30).sample_at(10).records());
  directory.write("data.1", Bytes{});
  directory.write("database", std::string_view("not of the recording"));
  const auto recording = Recording::open(directory.path().string());
  EXPECT_FALSE(recording->streamed());
  EXPECT_THAT(test::see(*recording).times, ElementsAre(0, 10, 30, 30));
}

TEST(Directory, WithoutARecordingInItIsRefused) {
  const test::TemporaryDirectory directory;
  EXPECT_THROW(Recording::open(directory.path().string()), InputError);
}

using Container = std::vector<std::byte> (*)(Bytes);

class Containers : public testing::TestWithParam<Container> {
 protected:
  // The recording in its container, opened by name, without the last `lost` bytes.
  Seen read(const std::vector<std::byte>& recording, std::size_t lost = 0) const {
    auto packed = GetParam()(recording);
    packed.resize(packed.size() - lost);
    return test::see(*Recording::open(directory_.write("packed", packed)));
  }

 private:
  test::TemporaryDirectory directory_;
};

std::string name_of_container(const testing::TestParamInfo<Container>& container) {
  constexpr const char* names[] = {"Gzip", "Xz", "Zstd"};
  return names[container.index];
}
INSTANTIATE_TEST_SUITE_P(Recording, Containers, testing::Values(&test::gzip, &test::xz, &test::zstd),
                         name_of_container);

TEST_P(Containers, HoldRecordingsInEitherForm) {
  RecordingBuilder in;
  in.timed_event().sample_at(20).sample_at(10);
  for (const auto& form : {in.file(), in.pipe()}) {
    const Seen seen = read(form);
    EXPECT_THAT(seen.times, ElementsAre(10, 20));
    EXPECT_TRUE(seen.stats.whole());
  }
}

TEST_P(Containers, ThatAreCutAreDamage) {
  std::mt19937_64 random(1);
  RecordingBuilder in;
  in.timed_event();
  for (std::uint64_t time = 1; time <= 5000; ++time) in.sample_at(time, random());
  for (const auto& form : {in.file(), in.pipe()}) {
    const Seen seen = read(form, 10);
    EXPECT_FALSE(seen.stats.whole());
    const auto& damage = seen.stats.damage;
    EXPECT_TRUE(std::ranges::any_of(damage, [](const Damage& d) { return d.what.find("was cut") != d.what.npos; }));
  }
}

TEST(Stream, CanBeVisitedOnce) {
  RecordingBuilder in;
  in.timed_event().sample_at(1);
  const auto pipe = in.pipe();
  const auto stream = test::stream_in_memory(pipe);
  test::see(*stream);
  EXPECT_THROW(test::see(*stream), InputError);
}

TEST(Stream, ThatEndsInAuxDataSaysSo) {
  RecordingBuilder in;
  in.timed_event().sample_at(1).record(RecordType::auxtrace, in.bytes().u64(1000).zeros(32));
  in.raw(BytesBuilder().zeros(100).view());
  const Seen seen = read_stream(in.pipe());
  EXPECT_THAT(seen.times, ElementsAre(1));
  ASSERT_THAT(seen.stats.damage, SizeIs(1));
  EXPECT_EQ(seen.stats.damage[0].what, "the stream ends in the data of an AUXTRACE record");
}

TEST(Stream, LeavesOutTheSameBytesHoweverTheInputIsCut) {
  RecordingBuilder in;
  in.timed_event();
  for (std::uint64_t time = 1; time <= 40'000; ++time) {
    in.sample_at(time);
    if (time % 9'999 == 0) in.raw(BytesBuilder().zeros(1000 + time % 7).view());
  }
  const Seen file = read_file(in.pipe());
  EXPECT_FALSE(file.stats.whole());
  for (const std::size_t piece : {std::size_t{4096}, std::size_t{100'000}, std::size_t{1'000'000}}) {
    const Seen stream = read_stream(in.pipe(), piece);
    EXPECT_EQ(stream.times, file.times) << piece;
    EXPECT_EQ(stream.damaged_bytes(), file.damaged_bytes()) << piece;
  }
}

// --- both visits

class CountingVisitor : public SampleVisitor {
 public:
  explicit CountingVisitor(std::vector<std::uint64_t>& times) : times_(times) {}
  void sample(const Sample& sample) override { times_.push_back(sample.time); }

 private:
  std::vector<std::uint64_t>& times_;
};

TEST(VisitParallel, SeesEverySampleOnceOnAnyNumberOfThreads) {
  RecordingBuilder in;
  in.timed_event();
  for (std::uint64_t time = 1; time <= 50'000; ++time) {
    in.sample_at(time);
    if (time % 1000 == 0) in.comm_at(time, 7, "name").round();
  }
  const RecordingBuilder content = some_samples(5000);
  in.compressed(pieces(content.records(), {1000, 77'777}));
  const test::FileInMemory recording(in.file());
  for (const unsigned threads : {0u, 1u, 2u, 4u}) {
    std::vector<std::vector<std::uint64_t>> of_workers(threads + 1);
    recording->visit_parallel(
        threads, [&](unsigned worker) { return std::make_unique<CountingVisitor>(of_workers.at(worker)); });
    std::vector<std::uint64_t> all;
    for (const auto& times : of_workers) all.insert(all.end(), times.begin(), times.end());
    std::ranges::sort(all);
    ASSERT_THAT(all, SizeIs(55'000));
    EXPECT_EQ(all[0], 1u);
    EXPECT_EQ(all[10'000], 5001u);
    EXPECT_EQ(all.back(), 50'000u);
    EXPECT_EQ(recording->stats().unknown_ids, 0u);
  }
}

TEST(VisitParallel, CountsWhatItCannotDeliverOncePerVisit) {
  RecordingBuilder in;
  in.timed_event().record(RecordType::sample, in.bytes().u64(1));
  const test::FileInMemory recording(in.file());
  std::vector<std::uint64_t> times;
  for (int visit = 0; visit < 2; ++visit) {
    recording->visit_parallel(1, [&](unsigned) { return std::make_unique<CountingVisitor>(times); });
  }
  EXPECT_EQ(recording->stats().malformed.at(RecordType::sample), 1u);
}

TEST(VisitParallel, PassesOnWhatAVisitorThrows) {
  class Thrower : public SampleVisitor {
    void sample(const Sample&) override { throw InputError("enough"); }
  };
  RecordingBuilder in;
  in.timed_event().sample_at(1);
  const test::FileInMemory recording(in.file());
  EXPECT_THROW(recording->visit_parallel(2, [](unsigned) { return std::make_unique<Thrower>(); }), InputError);
}

}  // namespace
}  // namespace perfsift::reader
