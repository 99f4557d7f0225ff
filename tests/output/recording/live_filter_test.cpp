// Filters a stream while it arrives, and checks when each part of the output is written.

#include "output/recording/live_filter.h"

#include <array>
#include <deque>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"
#include "reader/streamed_recording.h"
#include "tests/reader/reading.h"
#include "tests/support/recording_builder.h"

namespace perfsift::output {
namespace {

namespace bit = reader::sample_bit;
using filter::Filter;
using reader::RecordType;
using test::RecordingBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

// A pipe; tests open its write end by a path and read without blocking.
class Pipe {
 public:
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_NONBLOCK), 0);
    read_end_ = FileDescriptor(ends[0]);
    write_end_ = FileDescriptor(ends[1]);
  }
  std::string path() const { return "/dev/fd/" + std::to_string(write_end_.get()); }

  // All bytes written since the start.
  const std::vector<std::byte>& come() {
    std::array<std::byte, 65536> some;
    for (ssize_t size = 0; (size = read(read_end_.get(), some.data(), some.size())) > 0;) {
      come_.insert(come_.end(), some.begin(), some.begin() + size);
    }
    return come_;
  }

 private:
  FileDescriptor read_end_, write_end_;
  std::vector<std::byte> come_;
};

// Returns a recording piece by piece, and reads the new output before each piece.
class SlowSource : public reader::ByteSource {
 public:
  SlowSource(std::deque<std::vector<std::byte>> pieces, Pipe& output, std::vector<test::Seen>& seen)
      : pieces_(std::move(pieces)), output_(output), seen_(seen) {}

  std::size_t read(std::span<std::byte> out) override {
    if (output_.come().size() >= 16) seen_.push_back(test::read_stream(output_.come()));
    if (pieces_.empty()) return 0;
    const auto piece = std::move(pieces_.front());
    pieces_.pop_front();
    std::ranges::copy(piece, out.begin());
    return piece.size();
  }

 private:
  std::deque<std::vector<std::byte>> pieces_;
  Pipe& output_;
  std::vector<test::Seen>& seen_;
};

std::vector<std::uint64_t> sample_times(const test::Seen& seen) {
  std::vector<std::uint64_t> times;
  for (const auto& sample : seen.samples) times.push_back(sample.time);
  return times;
}

class FilterLive : public testing::Test {
 protected:
  // `cuts`: the positions at which the recording is cut into pieces.
  LiveResult run(const std::vector<std::byte>& recording, std::vector<std::size_t> cuts, const std::string& expression,
                 std::optional<int> compression_level = {}) {
    std::deque<std::vector<std::byte>> pieces;
    std::size_t begin = 16;  // the header is one piece
    cuts.push_back(recording.size());
    pieces.emplace_back(recording.begin(), recording.begin() + 16);
    for (const std::size_t cut : cuts) {
      pieces.emplace_back(recording.begin() + static_cast<std::ptrdiff_t>(begin),
                          recording.begin() + static_cast<std::ptrdiff_t>(cut));
      begin = cut;
    }
    reader::InputFile input{.path = "slow"};
    input.source = std::make_unique<SlowSource>(std::move(pieces), output_, meanwhile_);
    reader::StreamedRecording stream(std::move(input), {});
    const Filter filter = expression.empty() ? Filter() : Filter::parse(expression);
    symbolize::Symbolizer symbolizer;
    analysis::RecordingFilter wanted(stream, symbolizer, filter, {});
    wanted.prepare(1);
    return filter_live(stream, wanted, output_.path(), compression_level);
  }
  test::Seen written() { return test::read_stream(output_.come()); }

  Pipe output_;
  std::vector<test::Seen> meanwhile_;  // the output before each piece
};

// Two rounds with samples of two CPUs, and further records. Each round ends a piece.
struct Rounds {
  Rounds() {
    in.timed_event().comm_at(90, 7, "worker");
    in.sample_at(100).sample_at(120).sample_at(110).sample_at(130).round();
    cut();
    in.sample_at(140).sample_at(160).sample_at(150).comm_at(155, 7, "renamed").round();
    cut();
    in.sample_at(170).round();
    cut();
    in.sample_at(180);
  }
  std::vector<std::byte> bytes() const { return in.pipe(); }
  // Offsets in bytes().
  std::vector<std::size_t> cuts() const {
    const std::size_t in_front = bytes().size() - in.records().size();
    std::vector<std::size_t> places;
    for (const std::size_t end : ends_) places.push_back(in_front + end);
    return places;
  }

  RecordingBuilder in;

 private:
  void cut() { ends_.push_back(in.records().size()); }
  std::vector<std::size_t> ends_;
};

TEST_F(FilterLive, SamplesGoOnWhenALaterRoundSaysThatNoneIsMissing) {
  const Rounds rounds;
  const LiveResult result = run(rounds.bytes(), rounds.cuts(), "");
  ASSERT_EQ(meanwhile_.size(), 4u);  // after each of three rounds, and at the end
  EXPECT_THAT(sample_times(meanwhile_[0]), IsEmpty());
  EXPECT_THAT(sample_times(meanwhile_[1]), ElementsAre(100, 110, 120, 130));
  EXPECT_THAT(sample_times(meanwhile_[2]), ElementsAre(100, 110, 120, 130, 140, 150, 160));
  EXPECT_THAT(sample_times(written()), ElementsAre(100, 110, 120, 130, 140, 150, 160, 170, 180));
  EXPECT_EQ(result.kept, 9u);
  EXPECT_EQ(result.bytes, output_.come().size());
}

// With one round only, a reader would deliver the last samples at the end of the stream.
TEST_F(FilterLive, AReaderDeliversAllThatHasComeAtTheRoundsBehindIt) {
  const Rounds rounds;
  run(rounds.bytes(), rounds.cuts(), "");
  const test::Seen& seen = meanwhile_.at(2);
  EXPECT_EQ(std::ranges::count(seen.records, RecordType::comm), 2);
  EXPECT_EQ(seen.records.back(), RecordType::finished_round);
}

TEST_F(FilterLive, OnlyWhatIsKeptGoesOnAndTheNamesWithIt) {
  const Rounds rounds;
  const LiveResult result = run(rounds.bytes(), rounds.cuts(), "comm == 'renamed'");
  EXPECT_THAT(sample_times(written()), ElementsAre(160, 170, 180));
  EXPECT_EQ(result.kept, 3u);
  EXPECT_EQ(std::ranges::count(written().records, RecordType::comm), 2);
}

// The last switch before the range is left out. It is recognised too late, when later records are already written.
TEST_F(FilterLive, LeavesOutSwitchesAtOtherTimesButTheFirstBehind) {
  RecordingBuilder in;
  in.timed_event();
  for (std::uint64_t time = 100; time < 200; time += 10) {
    in.record_at(time, reader::RecordType::switch_, in.bytes()).sample_at(time + 5);
  }
  in.round();
  run(in.pipe(), {}, "time in 140..160");
  EXPECT_THAT(written().times, ElementsAre(140, 145, 150, 155, 160, 170));
}

TEST_F(FilterLive, CompressedItComesAtTheSameTime) {
  const Rounds rounds;
  run(rounds.bytes(), rounds.cuts(), "time >= 110ns", 1);
  ASSERT_EQ(meanwhile_.size(), 4u);
  EXPECT_THAT(sample_times(meanwhile_[1]), ElementsAre(110, 120, 130));
  EXPECT_THAT(sample_times(written()), ElementsAre(110, 120, 130, 140, 150, 160, 170, 180));
}

// The form has changed, and the length is unknown.
TEST_F(FilterLive, WhatTheHeaderSaysOfFormAndLengthIsLeftOut) {
  RecordingBuilder in;
  const auto feature = [&](reader::Feature number, const test::BytesBuilder& content) {
    in.record(RecordType::header_feature, in.bytes().u64(static_cast<std::uint64_t>(number)).bytes(content.view()));
  };
  feature(reader::Feature::compressed, in.bytes().u32(1).u32(1).u32(1).u32(3).u32(4096));
  feature(reader::Feature::sample_time, in.bytes().u64(100).u64(200));
  feature(reader::Feature::hostname, in.bytes().u32(8).padded("machine"));
  in.timed_event().sample_at(100);
  run(in.pipe(), {}, "");
  const auto stream = test::stream_in_memory(output_.come());
  test::see(*stream);
  EXPECT_FALSE(stream->features().compression.has_value());
  EXPECT_FALSE(stream->features().sample_time.has_value());
  EXPECT_EQ(stream->features().hostname, "machine");
}

// PERF_SAMPLE_READ of a group is one record, which is delivered once for each changed counter.
TEST_F(FilterLive, ASampleOfAGroupGoesOnOnce) {
  RecordingBuilder in;
  const test::Attr attr{.sample_type = bit::ip | bit::tid | bit::time | bit::id | bit::read,
                        .read_format = reader::read_format::group | reader::read_format::id,
                        .flags = test::sample_id_all};
  in.event(attr, {1}).event(attr, {2});
  for (const std::uint64_t time : {100, 200}) {
    in.record(RecordType::sample,
              in.bytes().u64(0x1000).u32(7).u32(7).u64(time).u64(1).u64(2).u64(time).u64(1).u64(time).u64(2), 2);
  }
  const LiveResult result = run(in.pipe(), {}, "");
  EXPECT_EQ(result.kept, 2u);
  EXPECT_THAT(sample_times(written()), ElementsAre(100, 100, 200, 200));
  EXPECT_EQ(written().stats.records.at(RecordType::sample), 2u);
}

TEST_F(FilterLive, AuxDataIsRefusedAndNotDropped) {
  RecordingBuilder in;
  in.timed_event().record(RecordType::auxtrace_info, in.bytes().u32(1).u32(0)).sample_at(100);
  EXPECT_THROW(run(in.pipe(), {}, ""), InputError);
}

}  // namespace
}  // namespace perfsift::output
