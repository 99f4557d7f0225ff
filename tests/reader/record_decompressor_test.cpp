// COMPRESSED records are read while they expand, and their size is limited.
#include "reader/record_decompressor.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include "base/error.h"
#include "tests/reader/reading.h"
#include "tests/support/allocated.h"
#include "tests/support/recording_builder.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;
using test::RecordingBuilder;
using test::Seen;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::size_t kib = 1024, mib = 1024 * kib;
constexpr auto unlisted_type = static_cast<RecordType>(120);

// Records of 64 KiB, the largest size, without content.
std::vector<std::byte> records_of(std::size_t size) {
  const std::vector<std::byte> nothing(65520);
  BytesBuilder records;
  while (records.size() < size) records.record(static_cast<std::uint32_t>(unlisted_type), 0, nothing);
  return records.take();
}

// A piece of 4 MiB, repeated many times. Later pieces of one stream refer to earlier pieces.
void add_bomb(RecordingBuilder& in, std::size_t size) {
  test::ZstdStream stream;
  const auto content = records_of(4 * mib);
  for (std::size_t done = 0; done < size; done += content.size()) in.compressed({stream.piece(content)});
}

RecordingBuilder recording_that_declares(std::uint32_t ratio, std::uint32_t mmap_len) {
  RecordingBuilder in;
  in.timed_event().feature(Feature::compressed, in.bytes().u32(1).u32(1).u32(1).u32(ratio).u32(mmap_len));
  return in;
}

struct Form {
  const char* name;
  std::function<Seen(const RecordingBuilder&)> read;
};
const Form forms[] = {
    {"file", [](const RecordingBuilder& in) { return test::read_file(in.file()); }},
    {"pipe in a file", [](const RecordingBuilder& in) { return test::read_file(in.pipe()); }},
    {"pipe", [](const RecordingBuilder& in) { return test::read_stream(in.pipe(), 4 * kib); }},
};

// A buffer that counts the bytes that it moves to make room.
class WatchedBuffer : public RecordBuffer {
 public:
  std::size_t copied = 0;

 private:
  void make_room(std::size_t size) override {
    std::vector<std::byte> larger(unread().size() + size);
    std::ranges::copy(unread(), larger.begin());
    copied += unread().size();
    end_ = unread().size();
    begin_ = 0;
    memory_ = std::move(larger);
    storage_ = memory_;
  }
  std::vector<std::byte> memory_;
};

TEST(RecordDecompressor, TakesRecordsWhileItExpandsSoThatLittleIsUnreadOrCopied) {
  test::ZstdStream stream;
  const auto piece = stream.piece(records_of(64 * mib));
  ASSERT_LT(piece.size(), 64 * kib);
  auto buffer = std::make_unique<WatchedBuffer>();
  const WatchedBuffer& watched = *buffer;
  std::uint64_t expanded = 0;
  RecordDecompressor decompressor(
      BufferedRecords(std::move(buffer), ByteOrder::native, BufferedRecords::Content::expanded, [](const Skipped&) {}),
      expanded);
  const Record compressed{.header = {.type = RecordType::compressed}, .payload = piece, .trailing = {}};
  decompressor.begin(compressed, 0, {.record = 128 * mib, .total = 128 * mib});
  Record record;
  std::size_t records = 0, most_unread = 0;
  while (decompressor.next(record)) {
    ++records;
    most_unread = std::max(most_unread, decompressor.unread());
  }
  EXPECT_EQ(records, expanded / 65528);
  EXPECT_GE(expanded, 64 * mib);
  EXPECT_LE(most_unread, RecordDecompressor::most_unread());
  EXPECT_LE(most_unread, mib);
  EXPECT_LE(watched.copied, 64 * mib);
  EXPECT_EQ(decompressor.lost().bytes, 0u);
}

// Bytes without any record are dropped, except for the bytes that the search looks ahead.
TEST(RecordDecompressor, KeepsOnlyAFewBytesThatAreNoRecord) {
  test::ZstdStream stream;
  const auto piece = stream.piece(std::vector<std::byte>(16 * mib));
  std::uint64_t expanded = 0;
  std::uint64_t skipped = 0;
  RecordDecompressor decompressor(
      BufferedRecords(std::make_unique<TransientBuffer>(), ByteOrder::native, BufferedRecords::Content::expanded,
                      [&](const Skipped& some) { skipped += some.bytes; }),
      expanded);
  const Record compressed{.header = {.type = RecordType::compressed}, .payload = piece, .trailing = {}};
  const std::size_t before = test::allocated();
  decompressor.begin(compressed, 0, {.record = 64 * mib, .total = 64 * mib});
  Record record;
  EXPECT_FALSE(decompressor.next(record));
  EXPECT_LE(decompressor.unread(), RecordDecompressor::most_unread());
  EXPECT_LT(test::allocated() - before, 8 * mib);  // with zstd's window of 2 MiB
  decompressor.end();
  EXPECT_FALSE(decompressor.next(record));
  EXPECT_EQ(skipped, 16 * mib);
}

std::vector<std::string> damage_of(const Seen& seen) {
  std::vector<std::string> all;
  for (const Damage& damage : seen.stats.damage) all.push_back(damage.what);
  return all;
}

TEST(Expanding, StopsWhereARecordExceedsItsRingBuffer) {
  for (const Form& form : forms) {
    RecordingBuilder in = recording_that_declares(1000, 2 * mib);
    test::ZstdStream stream;
    in.compressed({stream.piece(records_of(8 * mib))}).sample_at(1);
    const Seen seen = form.read(in);
    EXPECT_THAT(seen.samples, SizeIs(1)) << form.name;
    EXPECT_THAT(damage_of(seen), Contains(HasSubstr("expands to more than 2097152 bytes"))) << form.name;
    EXPECT_LE(seen.stats.records.at(unlisted_type) * 65528, 3 * mib) << form.name;
  }
}

// 10 kB of such input were once read into 100 MB.
TEST(Expanding, StopsWhereAllRecordsExceedTheLimitForTheRecordingsSize) {
  for (const Form& form : forms) {
    RecordingBuilder in = recording_that_declares(~0u, ~0u);
    add_bomb(in, 128 * mib);
    in.sample_at(1);
    ASSERT_LT(in.records().size(), 16 * kib);
    const Seen seen = form.read(in);
    EXPECT_THAT(seen.samples, SizeIs(1)) << form.name;
    EXPECT_THAT(damage_of(seen), Contains(HasSubstr("record without -z"))) << form.name;
    EXPECT_LT(seen.stats.bytes, 128 * mib) << form.name;
  }
}

// A finished file has its compression ratio. Up to twice that ratio is accepted.
TEST(Expanding, OfAFinishedFileStopsFarAboveTheDeclaredRatio) {
  RecordingBuilder in = recording_that_declares(10, 8 * mib);
  add_bomb(in, 64 * mib);
  const Seen seen = test::read_file(in.file());
  EXPECT_THAT(damage_of(seen), Contains(HasSubstr("expand to more than 16777216 bytes")));
  EXPECT_LE(seen.stats.records.at(unlisted_type) * 65528, 17 * mib);
}

// perf record -z1 --call-graph dwarf,65528 of a loop: the samples differ only in their times. The ratio of a real
// recording was 3814.
TEST(Expanding, OfEqualStacksIsNotLimited) {
  constexpr std::uint64_t count = 800, in_a_piece = 7, first_time = 123'456'789'012, apart = 1'000'123;
  std::vector<std::vector<std::byte>> pieces;
  std::size_t size = 0, compressed_size = 0;
  test::ZstdStream stream;
  for (std::uint64_t i = 0; i < count; i += in_a_piece) {
    BytesBuilder records;
    for (std::uint64_t at = i; at < std::min(i + in_a_piece, count); ++at) {
      const auto payload = BytesBuilder().u64(first_time + at * apart).zeros(65512).take();
      records.record(static_cast<std::uint32_t>(unlisted_type), 0, payload);
    }
    pieces.push_back(stream.piece(records.view()));
    size += records.size();
    compressed_size += pieces.back().size();
  }
  const auto ratio = static_cast<std::uint32_t>(size / compressed_size);
  ASSERT_GT(ratio, 1000u);
  RecordingBuilder in = recording_that_declares(ratio, 528384);
  in.compressed(pieces);
  for (const Form& form : forms) {
    const Seen seen = form.read(in);
    EXPECT_TRUE(seen.stats.whole()) << form.name;
    EXPECT_EQ(seen.stats.records.at(unlisted_type), count) << form.name;
  }
}

TEST(TemporaryFile, LeavesRoomOnTheDisk) {
  struct statvfs disk {};
  ASSERT_EQ(statvfs(std::filesystem::temp_directory_path().c_str(), &disk), 0);
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  TemporaryFile file;
  EXPECT_EQ(file.extend(4096).bytes().size(), 4096u);
  EXPECT_THROW(file.extend(free / 16 * 15), InputError);
}

}  // namespace
}  // namespace perfsift::reader
