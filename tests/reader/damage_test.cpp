// Recordings that were cut, and recordings with one changed byte. Neither may crash, hang, read outside the input or
// allocate too much memory, and whole records must be found.
//
// Every cut is tried, or under AddressSanitizer every third. For changes, each byte is set to 0 and to 255, and one of
// its bits is flipped. In the headers of a file and of its records all 255 other values are tried. AddressSanitizer
// makes the test ten times as slow, so a byte then has one of these changes. PERFSIFT_ALL_CHANGES=1 tries all values
// everywhere, which takes minutes.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/reader/reading.h"
#include "tests/support/allocated.h"
#include "tests/support/full_recording.h"
#include "tests/support/instrumented.h"
#include "tests/support/thorough_visitor.h"

#if defined(__SANITIZE_ADDRESS__)
constexpr bool few_changes = true;
constexpr std::size_t between_cuts = 5;
// The inputs have a few kilobytes, so code that allocates much more has trusted a size in the input.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "max_allocation_size_mb=256";
}
#else
constexpr bool few_changes = false;
constexpr std::size_t between_cuts = 1;
#endif

namespace perfsift::reader {
namespace {

using test::allocated;
using test::NamedRecording;
using test::RecordingBuilder;

using File = std::vector<std::byte>;
using Files = std::vector<File>;

// Reads everything, and stores the samples.
class Visitor : public test::ThoroughVisitor {
 public:
  using ThoroughVisitor::ThoroughVisitor;
  void sample(const Sample& sample) override {
    times.push_back(sample.time);
    ThoroughVisitor::sample(sample);
  }
  std::vector<std::uint64_t> times;
};

// The result of a parallel visit. The visitors do not outlive the visit.
struct Samples {
  std::uint64_t count = 0, digest = 0;
};
class ParallelVisitor : public test::ThoroughVisitor {
 public:
  ParallelVisitor(const Recording& recording, Samples& seen) : ThoroughVisitor(recording), seen_(seen) {}
  void finish() override { seen_ = {samples(), digest_of_samples()}; }

 private:
  Samples& seen_;
};

// The result of reading a recording.
struct Reading {
  std::vector<std::uint64_t> times;  // of the samples
  bool whole = false;
  bool ends_in_aux_data = false;
  std::uint64_t damaged_bytes = 0, damaged_records = 0;
};

Reading visit(Recording& recording, Visitor& visitor) {
  recording.visit_in_order(visitor);
  visitor.look_at_the_rest();
  Reading outcome{.times = std::move(visitor.times), .whole = recording.stats().whole()};
  for (const Damage& damage : recording.stats().damage) {
    outcome.damaged_bytes += damage.bytes;
    outcome.damaged_records += damage.records;
    if (damage.what == "the stream ends in the data of an AUXTRACE record") outcome.ends_in_aux_data = true;
  }
  return outcome;
}

// The memory that may be allocated to read a few kilobytes. zstd may also ask for a window of 128 MB.
constexpr std::size_t enough = std::size_t{16} << 20, enough_to_expand = enough + (std::size_t{128} << 20);

// Visits a file, or the files of a directory, in both ways. Nothing if the recording was refused.
std::optional<Reading> read_files(const Files& files, std::size_t most = enough) {
  const std::size_t before = allocated();
  try {
    const test::FileInMemory recording(files);
    Samples samples;
    recording->visit_parallel(1, [&](unsigned) { return std::make_unique<ParallelVisitor>(*recording, samples); });
    Visitor visitor(*recording);
    Reading outcome = visit(*recording, visitor);
    EXPECT_EQ(visitor.samples(), samples.count) << "the visits do not agree";
    EXPECT_EQ(visitor.digest_of_samples(), samples.digest) << "the visits do not agree";
    EXPECT_LT(allocated() - before, most);
    return outcome;
  } catch (const InputError&) {
    return std::nullopt;
  }
}
std::optional<Reading> read_one(const File& file, std::size_t most = enough) { return read_files({file}, most); }

std::optional<Reading> read_streamed(const File& file, std::size_t most = enough) {
  const std::size_t before = allocated();
  if (!is_pipe_header(file)) return std::nullopt;
  const auto recording = test::stream_in_memory(file);
  Visitor visitor(*recording);
  Reading outcome = visit(*recording, visitor);
  EXPECT_LT(allocated() - before, most);
  return outcome;
}

// --- cuts

// The number of whole samples in the first bytes of a recording's records, and the end of the last whole record.
struct Whole {
  std::size_t end = 0;
  std::size_t samples = 0;
};

Whole whole_of(const RecordingBuilder& in, std::size_t size) {
  Whole whole;
  for (const auto& record : in.placed()) {
    if (record.end > size) break;
    whole.end = record.end;
    if (record.type == RecordType::sample) ++whole.samples;
  }
  return whole;
}

std::vector<std::uint64_t> first(const std::vector<std::uint64_t>& times, std::size_t count) {
  return std::vector(times.data(), times.data() + count);
}

File cut(const File& file, std::size_t size) { return File(file.data(), file.data() + size); }

TEST(CutFile, GivesTheSamplesInFrontOfTheCutAndSaysWhatIsMissing) {
  for (const ByteOrder order : {ByteOrder::native, ByteOrder::swapped}) {
    const RecordingBuilder in = test::full_recording(order);
    const File file = in.file();
    ByteReader header(file, order);
    header.skip(40);
    const std::size_t data = header.u64(), data_size = header.u64();
    ASSERT_EQ(data_size, in.records().size());
    const auto all = read_one(file);
    ASSERT_TRUE(all && all->whole);
    ASSERT_EQ(all->times.size(), 6u);

    for (std::size_t size = 0; size < file.size(); size += between_cuts) {
      const auto outcome = read_one(cut(file, size));
      if (size < data) {  // the events are cut
        EXPECT_TRUE(!outcome || (outcome->times.empty() && !outcome->whole)) << size;
        continue;
      }
      ASSERT_TRUE(outcome) << size;
      EXPECT_FALSE(outcome->whole) << size;
      const Whole whole = whole_of(in, size - data);
      EXPECT_EQ(outcome->times, first(all->times, whole.samples)) << size;
      if (size >= data + data_size) continue;  // only features are cut
      EXPECT_EQ(outcome->damaged_bytes, data_size - whole.end) << size;
      EXPECT_EQ(outcome->damaged_records, size - data == whole.end ? 0u : 1u) << size;
    }
  }
}

TEST(CutPipe, GivesTheSamplesInFrontOfTheCutAndSaysWhatIsMissing) {
  const RecordingBuilder in = test::full_recording();
  const File pipe = in.pipe();
  const std::size_t data = pipe.size() - in.records().size();
  const auto all = read_streamed(pipe);
  ASSERT_TRUE(all && all->whole);
  ASSERT_EQ(all->times.size(), 6u);

  for (std::size_t size = 0; size < pipe.size(); size += between_cuts) {
    const auto from_file = read_one(cut(pipe, size)), stream = read_streamed(cut(pipe, size));
    ASSERT_EQ(stream.has_value(), size >= pipe_header_size) << size;
    if (!stream) continue;
    ASSERT_TRUE(from_file) << size;
    EXPECT_EQ(stream->times, from_file->times) << size;
    if (size < data) {
      EXPECT_THAT(stream->times, testing::IsEmpty()) << size;
      continue;
    }
    const Whole whole = whole_of(in, size - data);
    const bool between_records = size - data == whole.end;
    EXPECT_EQ(stream->times, first(all->times, whole.samples)) << size;
    EXPECT_EQ(stream->whole, between_records) << size;
    EXPECT_EQ(from_file->whole, between_records) << size;
    EXPECT_EQ(from_file->damaged_bytes, size - data - whole.end) << size;
    EXPECT_EQ(from_file->damaged_records, between_records ? 0u : 1u) << size;
  }
}

// A COMM, two COMPRESSED records with one and a half samples each, and a FINISHED_ROUND.
TEST(CutCompressed, GivesTheSamplesOfTheRecordsInFrontOfTheCut) {
  for (const RecordingBuilder& in : {test::compressed_recording(), test::compressed2_recording()}) {
    const File pipe = in.pipe();
    const std::size_t data = pipe.size() - in.records().size();
    ASSERT_EQ(in.placed().size(), 4u);
    ASSERT_EQ(read_streamed(pipe)->times.size(), 3u);
    for (std::size_t size = pipe_header_size; size < pipe.size(); ++size) {
      const std::size_t whole = whole_of(in, size - std::min(size, data)).end;
      const std::size_t samples = whole >= in.placed()[2].end ? 3 : whole >= in.placed()[1].end ? 1 : 0;
      EXPECT_EQ(read_streamed(cut(pipe, size))->times.size(), samples) << size;
      EXPECT_EQ(read_one(cut(pipe, size))->times.size(), samples) << size;
    }
  }
}

TEST(CutDirectory, LosesNothingOfItsOtherFiles) {
  const Files files = test::recording_of_threads();
  ASSERT_EQ(read_files(files)->times, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  for (std::size_t size = 0; size < files[1].size(); ++size) {
    const auto outcome = read_files({files[0], cut(files[1], size), files[2]});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->times.size(), 2 + size / 32) << size;
    EXPECT_EQ(outcome->whole, size % 32 == 0) << size;
  }
  for (std::size_t size = 0; size < files[2].size(); ++size) {
    const auto outcome = read_files({files[0], files[1], cut(files[2], size)});
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(std::ranges::includes(outcome->times, std::array<std::uint64_t, 3>{1, 3, 5})) << size;
  }
  for (std::size_t size = 0; size < files[0].size(); ++size) read_files({cut(files[0], size), files[1], files[2]});
}

TEST(CutCounters, AreRead) {
  const File file = test::recording_of_counters().file(), pipe = test::recording_of_counters().pipe();
  for (std::size_t size = 0; size < file.size(); ++size) read_one(cut(file, size));
  for (std::size_t size = 0; size < pipe.size(); ++size) read_streamed(cut(pipe, size));
}

// --- changes of one byte

// The tried values are 0, 255 and the change of one bit, which is another bit in each byte of eight. `thorough`: all
// values are tried here, except in runs with few changes, which change every second byte once.
bool is_tried(unsigned original, unsigned value, std::size_t at, bool thorough) {
  static const bool all = std::getenv("PERFSIFT_ALL_CHANGES") != nullptr;
  if (value == original) return false;
  const std::array<unsigned, 3> tried{0, 255, original ^ 1U << at % 8};
  if (few_changes && !all) return at % 2 == 0 && value == tried[at % tried.size()];
  return all || thorough || std::ranges::find(tried, value) != tried.end();
}

using Try = std::function<void(const File& changed, std::size_t at)>;

void for_each_change(File file, const std::function<bool(std::size_t at)>& thorough, const Try& look) {
  for (std::size_t at = 0; at < file.size(); ++at) {
    const auto original = std::to_integer<unsigned>(file[at]);
    for (unsigned value = 0; value < 256; ++value) {
      if (!is_tried(original, value, at, thorough(at))) continue;
      file[at] = static_cast<std::byte>(value);
      look(file, at);
      if (testing::Test::HasFailure()) FAIL() << "byte " << at << " changed from " << original << " to " << value;
    }
    file[at] = static_cast<std::byte>(original);
  }
}

// The headers of all records, which begin at `data`.
std::function<bool(std::size_t)> headers_of(const RecordingBuilder& in, std::size_t data) {
  std::vector<std::size_t> begins;
  for (const auto& record : in.placed()) begins.push_back(data + record.begin);
  return [begins = std::move(begins)](std::size_t at) {
    const auto next = std::ranges::upper_bound(begins, at);
    return next != begins.begin() && at - *std::prev(next) < record_header_size;
  };
}

bool everywhere(std::size_t) { return true; }
bool nowhere(std::size_t) { return false; }

const RecordingBuilder::Placed* record_of(const RecordingBuilder& in, std::size_t at) {
  const auto& placed = in.placed();
  const auto found =
      std::ranges::find_if(placed, [&](const auto& record) { return at >= record.begin && at < record.end; });
  return found != placed.end() ? &*found : nullptr;
}

// A change in the fields of one record costs at most that one sample.
bool is_inside_a_sample(const RecordingBuilder& in, std::size_t at) {
  const auto* record = record_of(in, at);
  return record != nullptr && record->type == RecordType::sample && at >= record->begin + record_header_size;
}

class OneByteChanged : public testing::TestWithParam<NamedRecording> {
 protected:
  const RecordingBuilder& in() const { return GetParam().recording; }
};

std::string name_of(const testing::TestParamInfo<NamedRecording>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(In, OneByteChanged, testing::ValuesIn(test::parts_of_full_recording()), name_of);

TEST_P(OneByteChanged, OfAFile) {
  const File file = in().file();
  ByteReader header(file);
  header.skip(40);
  const std::size_t data = header.u64();
  const std::size_t samples = read_one(file)->times.size();
  for_each_change(file, headers_of(in(), data), [&](const File& changed, std::size_t at) {
    const auto outcome = read_one(changed);
    if (at < data || !is_inside_a_sample(in(), at - data)) return;
    ASSERT_TRUE(outcome);
    EXPECT_GE(outcome->times.size() + 1, samples);
    EXPECT_TRUE(outcome->whole);
  });
}

// Compares reading as a stream with reading as a file.
void expect_the_same_samples(const File& pipe, std::size_t most = enough) {
  const auto stream = read_streamed(pipe, most), file = read_one(pipe, most);
  if (!stream || !file || stream->ends_in_aux_data) return;
  EXPECT_EQ(stream->times.size(), file->times.size());
}

// The same decoders read files and streams, and each change is read twice. So all values of headers are tried in files
// only.
TEST_P(OneByteChanged, OfAPipe) {
  const File pipe = in().pipe();
  const std::size_t data = pipe.size() - in().records().size();
  for_each_change(pipe, nowhere, [&](const File& changed, std::size_t at) {
    // A record before all events may become a sample. A stream does not know the sample's event yet, but a file does.
    const bool sample_before_events = at <= data && changed[at] == static_cast<std::byte>(RecordType::sample);
    if (!sample_before_events) return expect_the_same_samples(changed);
    read_streamed(changed);
    read_one(changed);
  });
}

TEST(OneByteChangedIn, TheHeaderOfAFile) {
  RecordingBuilder in;
  in.timed_event().sample_at(1).feature(Feature::total_memory, in.bytes().u64(4096));
  for_each_change(in.file(), everywhere, [](const File& changed, std::size_t) { read_one(changed); });
}

// Every file with COMPRESSED records takes a temporary file, so fewer changes are tried.
TEST(OneByteChangedIn, CompressedRecords) {
  for (const RecordingBuilder& in : {test::compressed_recording(), test::compressed2_recording()}) {
    for_each_change(in.pipe(), nowhere,
                    [](const File& changed, std::size_t) { expect_the_same_samples(changed, enough_to_expand); });
  }
}

TEST(OneByteChangedIn, AFileOfADirectory) {
  const Files files = test::recording_of_threads();
  for (std::size_t which = 0; which < files.size(); ++which) {
    Files changed = files;
    for_each_change(files[which], nowhere, [&](const File& file, std::size_t) {
      changed[which] = file;
      read_files(changed, enough_to_expand);
    });
  }
}

TEST(OneByteChangedIn, Counters) {
  const RecordingBuilder in = test::recording_of_counters();
  const File pipe = in.pipe();
  for_each_change(pipe, headers_of(in, pipe.size() - in.records().size()),
                  [](const File& changed, std::size_t) { read_streamed(changed), read_one(changed); });
}

}  // namespace
}  // namespace perfsift::reader
