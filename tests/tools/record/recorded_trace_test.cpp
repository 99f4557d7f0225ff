// A hardware trace on its way from the AUX areas into a recording. The trace is that of tests/support/spe_recording.h,
// whose samples tests/oracle/spe_equals_perf.sh compares with those of perf, as those of the recordings made here.
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "reader/records/auxtrace.h"
#include "tests/record/rings/fake_area.h"
#include "tests/support/spe_recording.h"
#include "tests/support/temporary.h"
#include "tests/tools/record/recorded_again.h"
#include "tools/record/recorded_file.h"
#include "tools/record/recorded_totals.h"

namespace perfsift::tools {
namespace {

using reader::Recording;
using reader::RecordType;
using test::FakeArea;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct TracedSample {
  std::string event;
  std::uint64_t time, ip, addr, weight, data_src;
  std::int32_t pid, tid, cpu;
  auto operator<=>(const TracedSample&) const = default;
};

class TracedSamples : public reader::OrderedVisitor {
 public:
  void sample(const reader::Sample& s) override {
    samples.push_back({s.event->name, s.time, s.ip, s.addr, s.weight, s.data_src, s.pid, s.tid, s.cpu});
  }
  std::vector<TracedSample> samples;
};

std::unique_ptr<Recording> opened(const std::string& path) {
  reader::OpenOptions options;
  options.trace_events = reader::TraceEvents::all();
  options.store_stream = true;
  return Recording::open(path, options);
}

std::vector<TracedSample> samples_of(const std::string& path) {
  TracedSamples visitor;
  opened(path)->visit_in_order(visitor);
  return visitor.samples;
}

struct Piece {
  reader::Auxtrace about;
  std::string data;
};

std::vector<Piece> pieces_of(const Recording& recording) {
  std::vector<Piece> pieces;
  recording.visit_records([&](const reader::Record& record) {
    if (record.header.type != RecordType::auxtrace) return;
    const auto* data = reinterpret_cast<const char*>(record.trailing.data());
    pieces.push_back({*reader::decode_auxtrace(record), std::string(data, record.trailing.size())});
  });
  return pieces;
}

class RecordedTrace : public ::testing::Test {
 protected:
  static constexpr unsigned records_of_cpu = 100;

  void SetUp() override { model_ = directory_.write("model.data", test::spe_recording({}, records_of_cpu)); }
  std::string record_model_again(std::optional<int> level) const {
    test::record_again(*opened(model_), again_, level);
    return again_;
  }

  test::TemporaryDirectory directory_;
  std::string model_, again_ = directory_.path() / "again.data";
};

TEST_F(RecordedTrace, SamplesAreThoseOfTheTrace) {
  const auto expected = samples_of(model_);
  EXPECT_GT(expected.size(), 4 * 3 * records_of_cpu);  // each record of 4 CPUs in 3 pieces is one sample or more
  EXPECT_EQ(samples_of(record_model_again(std::nullopt)), expected);
}

TEST_F(RecordedTrace, CompressedRecordingHasTheSameSamples) {
  EXPECT_EQ(samples_of(record_model_again(1)), samples_of(model_));
}

TEST_F(RecordedTrace, PipeHasTheSameSamples) {
  ASSERT_EQ(mkfifo(again_.c_str(), 0600), 0);
  std::vector<TracedSample> received;
  std::thread reader([&] { received = samples_of(again_); });
  record_model_again(std::nullopt);
  reader.join();
  EXPECT_EQ(received, samples_of(model_));
}

// AUXTRACE is outside of COMPRESSED records, because readers look for the data behind it.
TEST_F(RecordedTrace, IndexHasThePlacesOfPieces) {
  for (const std::optional<int> level : {std::optional<int>(), std::optional<int>(1)}) {
    const auto recording = opened(record_model_again(level));
    const std::string bytes = test::content_of(again_);
    EXPECT_THAT(recording->features().auxtrace_index, SizeIs(12));
    for (const reader::AuxtraceIndexEntry& entry : recording->features().auxtrace_index) {
      EXPECT_EQ(entry.size, 48u);  // sizeof(struct perf_record_auxtrace)
      EXPECT_EQ(bytes.substr(entry.file_offset, 4), std::string("\x47\0\0\0", 4));  // PERF_RECORD_AUXTRACE: 71
    }
  }
}

// struct perf_record_auxtrace in tools/lib/perf/include/perf/event.h; __auxtrace_mmap__read() pads the data to 8 bytes.
TEST_F(RecordedTrace, PieceThatWrapsIsOneRecordWithPaddedData) {
  {
    RecordedFile file(again_, reader::header_content(*opened(model_)), std::nullopt);
    file.appear();
    FakeArea area(16);
    record::RingReader reader = area.reader(1001, 3);
    for (const std::string_view text : {"0123456789ab", "cdefghi"}) {
      area.write(std::as_bytes(std::span(text)));
      reader.look();
      reader.pass_on(5, file);
      file.round();
    }
    file.finish();
  }
  const auto pieces = pieces_of(*opened(again_));
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].data, std::string("0123456789ab\0\0\0\0", 16));
  EXPECT_EQ(pieces[1].data, std::string("cdefghi\0", 8));
  EXPECT_EQ(pieces[1].about.size, 8u);
  EXPECT_EQ(pieces[1].about.offset, 12u);
  EXPECT_EQ(pieces[1].about.index, 5u);
  EXPECT_EQ(pieces[1].about.tid, 1001);
  EXPECT_EQ(pieces[1].about.cpu, 3);
}

// What a killed recorder leaves behind has the pieces up to the last pass.
TEST_F(RecordedTrace, CheckpointHasTheIndex) {
  RecordedFile file(again_, reader::header_content(*opened(model_)), std::nullopt);
  test::give_again(*opened(model_), file);
  file.appear();
  const auto recording = opened(again_);
  EXPECT_THAT(recording->features().auxtrace_index, SizeIs(12));
  EXPECT_EQ(samples_of(again_), samples_of(model_));
}

TEST(RecordedTotals, TextHasTheSizeOfTheTrace) {
  EXPECT_EQ(trace_text(0), "");
  EXPECT_EQ(trace_text(3u << 20), "3MB of AUX data, ");
}

TEST(RecordedTotals, LossesOfTraceSayWhatToChange) {
  EXPECT_THAT(trace_losses({.bytes = 4096}), IsEmpty());
  EXPECT_THAT(trace_losses({.truncated = 3}), ElementsAre("AUX data was lost 3 times: a larger area (-m ,SIZE) or a "
                                                          "larger interval (-c) loses less"));
  EXPECT_THAT(trace_losses({.partial = 1, .collisions = 2}),
              ElementsAre(HasSubstr("gaps: 1 times"), HasSubstr("collided in AUX data 2 times")));
}

}  // namespace
}  // namespace perfsift::tools
