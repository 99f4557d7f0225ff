#include "reader/writer/recording_writer.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include <gmock/gmock.h>

#include "base/error.h"
#include "reader/records/header_records.h"
#include "tests/reader/reading.h"
#include "tests/support/full_recording.h"

namespace perfsift::reader {
namespace {

using test::full_recording;
using test::RecordingBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

class MemorySink : public ByteSink {
 public:
  std::vector<std::byte> bytes;

  void write(Bytes more) override {
    write_at(end_, more);
    end_ += more.size();
  }
  void write_at(std::uint64_t offset, Bytes other) override {
    bytes.resize(std::max(bytes.size(), offset + other.size()));
    std::ranges::copy(other, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  }

 private:
  std::uint64_t end_ = 0;  // of what write() wrote
};

using Keeps = std::function<bool(const Record&)>;
bool all(const Record&) { return true; }

std::vector<std::byte> rewritten(const Recording& recording, const WriteOptions& options, const Keeps& keeps = all) {
  MemorySink sink;
  RecordingWriter writer(header_content(recording), options, sink);
  recording.visit_records([&](const Record& record) {
    if (keeps(record)) writer.write(record);
  });
  writer.finish();
  EXPECT_EQ(writer.size(), sink.bytes.size());
  return std::move(sink.bytes);
}

std::vector<std::byte> rewritten(const std::vector<std::byte>& input, const WriteOptions& options,
                                 const Keeps& keeps = all) {
  return rewritten(*test::FileInMemory(input), options, keeps);
}

// The content of a recording as bytes: its records and its header.
struct Content {
  std::vector<std::string> records;
  std::map<std::uint32_t, std::string> features;
  std::vector<std::vector<std::uint64_t>> ids;
  std::vector<std::string> names;
  std::vector<std::string> damage;
};

std::string copied_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Whether a feature is about the form of the recording, which changes when the recording is written again.
bool is_about_form(std::uint32_t feature) {
  return feature == static_cast<std::uint32_t>(Feature::compressed) ||
         feature == static_cast<std::uint32_t>(Feature::dir_format) ||
         feature == static_cast<std::uint32_t>(Feature::auxtrace);
}

Content content_of(const Recording& recording) {
  Content content;
  recording.visit_records([&](const Record& record) {
    const std::byte* start = record.payload.data() - record_header_size;
    if (recording.header().pipe && is_header_record(record.header.type)) return;
    content.records.push_back(
        copied_text({start, record_header_size + record.payload.size() + record.trailing.size()}));
  });
  for (const auto& [number, bytes] : header_content(recording).features) {
    if (!is_about_form(number)) content.features[number] = copied_text(bytes);
  }
  for (const auto& event : recording.events()) {
    content.ids.push_back(event->ids);
    content.names.push_back(event->name);
  }
  for (const Damage& damage : recording.stats().damage) content.damage.push_back(damage.what);
  return content;
}
Content content_of(const std::vector<std::byte>& file) { return content_of(*test::FileInMemory(file)); }

void expect_same(const Content& found, const Content& expected) {
  EXPECT_EQ(found.records, expected.records);
  EXPECT_EQ(found.features, expected.features);
  EXPECT_EQ(found.ids, expected.ids);
  EXPECT_EQ(found.names, expected.names);
  EXPECT_THAT(found.damage, IsEmpty());
}

class EveryByteOrder : public testing::TestWithParam<ByteOrder> {};
INSTANTIATE_TEST_SUITE_P(Of, EveryByteOrder, testing::Values(ByteOrder::native, ByteOrder::swapped),
                         [](const auto& order) { return order.param == ByteOrder::native ? "Native" : "Swapped"; });

TEST_P(EveryByteOrder, AFileIsWrittenWithTheSameRecordsAndHeader) {
  const auto input = full_recording(GetParam()).file();
  const auto output = rewritten(input, {});
  expect_same(content_of(output), content_of(input));
  EXPECT_EQ(copied_text(Bytes(output).first(16)),
            copied_text(Bytes(input).first(16)));  // the magic, the size of the header
}

TEST_P(EveryByteOrder, AFileIsWrittenCompressedWithTheSameRecordsAndHeader) {
  const auto input = full_recording(GetParam()).file();
  const auto output = rewritten(input, {.compression_level = 3});
  // The records that perf writes between COMPRESSED records keep their places and their order, because everything
  // before a record is flushed first.
  expect_same(content_of(output), content_of(input));
  const test::FileInMemory recording(output);
  ASSERT_TRUE(recording->features().compression);
  EXPECT_EQ(recording->features().compression->type, 1u);  // PERF_COMP_ZSTD
  EXPECT_EQ(recording->features().compression->level, 3u);
  EXPECT_TRUE(recording->stats().records.contains(RecordType::compressed));
}

TEST_P(EveryByteOrder, WritingAWrittenFileAgainGivesTheSameBytes) {
  const auto once = rewritten(full_recording(GetParam()).file(), {});
  EXPECT_EQ(rewritten(once, {}), once);
}

// Features without content, and features without a record type in pipe form.
void drop_what_no_pipe_holds(std::map<std::uint32_t, std::string>& features) {
  std::erase_if(features,
                [](const auto& feature) { return feature.second.empty() || feature.first > last_known_feature; });
}

std::string text_of_update(const std::string& bytes, ByteOrder order) {
  const auto update = decode_event_update(record_at(reinterpret_cast<const std::byte*>(bytes.data()), order, 0));
  return update ? std::string(update->text) : "none";
}

TEST_P(EveryByteOrder, AFileIsWrittenAsAPipeWithTheSameRecordsAndHeader) {
  const RecordingBuilder input = full_recording(GetParam());
  Content expected = content_of(input.file());
  drop_what_no_pipe_holds(expected.features);
  Content found = content_of(rewritten(input.file(), {.form = WriteForm::pipe}));
  // Records of header types may also be among the records of a file. In a pipe, readers would treat them as the header,
  // so they are left out.
  std::erase_if(expected.records, [&](const std::string& record) {
    const auto header = decode_record_header(reinterpret_cast<const std::byte*>(record.data()), GetParam());
    return is_header_record(header.type);
  });
  constexpr auto build_id = static_cast<std::uint32_t>(Feature::build_id);
  constexpr auto tracing_data = static_cast<std::uint32_t>(Feature::tracing_data);
  for (const auto number : {build_id, tracing_data}) found.features.erase(number), expected.features.erase(number);
  // The name of the only event in EVENT_DESC comes first, in a separate record.
  ASSERT_EQ(found.records.size(), expected.records.size() + 1);
  EXPECT_EQ(text_of_update(found.records.front(), GetParam()), "cpu-clock");
  found.records.erase(found.records.begin());
  expect_same(found, expected);
}

TEST_P(EveryByteOrder, APipeIsWrittenAsAFileThatSaysTheSame) {
  const auto pipe = rewritten(full_recording(GetParam()).file(), {.form = WriteForm::pipe});
  const auto file = rewritten(pipe, {});
  EXPECT_FALSE(test::FileInMemory(file)->header().pipe);
  expect_same(content_of(file), content_of(pipe));
}

TEST_P(EveryByteOrder, AFilteredRecordingHasTheKeptSamples) {
  const auto input = full_recording(GetParam()).file();
  const auto keeps = [](const Record& record) {
    return record.header.type != RecordType::sample ||
           record.payload.size() > 300;  // the samples of the event with all fields
  };
  auto expected = test::read_file(input).samples;
  std::erase_if(expected, [](const auto& sample) { return sample.event != 0; });
  ASSERT_EQ(expected.size(), 3u);
  EXPECT_EQ(test::read_file(rewritten(input, {}, keeps)).samples, expected);
  EXPECT_EQ(test::read_file(rewritten(input, {.compression_level = 1}, keeps)).samples, expected);
  EXPECT_EQ(test::read_stream(rewritten(input, {.form = WriteForm::pipe}, keeps)).samples, expected);
}

TEST(RecordingWriter, CompressedRecordsAreWrittenExpanded) {
  for (const RecordingBuilder& input : {test::compressed_recording(), test::compressed2_recording()}) {
    const auto output = rewritten(input.file(), {});
    EXPECT_EQ(test::read_file(output).samples, test::read_file(input.file()).samples);
    EXPECT_FALSE(test::FileInMemory(output)->features().compression);
    EXPECT_FALSE(test::FileInMemory(output)->stats().records.contains(RecordType::compressed));
  }
}

TEST(RecordingWriter, ADirectoryBecomesOneFile) {
  const auto files = test::recording_of_threads();
  const test::FileInMemory directory(files);
  const auto output = rewritten(*directory, {});
  const test::FileInMemory file(output);
  EXPECT_EQ(test::see(*file).samples, test::see(*directory).samples);
  EXPECT_FALSE(file->features().dir_format);
}

TEST(RecordingWriter, TheAuxtraceIndexSaysWhereTheRecordsLieNow) {
  for (const std::optional<int> level : {std::optional<int>(), std::optional(1)}) {
    const auto output = rewritten(full_recording().file(), {.compression_level = level});
    const test::FileInMemory file(output);
    ASSERT_EQ(file->features().auxtrace_index.size(), 1u);
    const AuxtraceIndexEntry entry = file->features().auxtrace_index.front();
    EXPECT_EQ(entry.size, 48u);  // sizeof(struct perf_record_auxtrace)
    EXPECT_EQ(copied_text(Bytes(output).subspan(entry.file_offset + entry.size, 24)), "twenty-four bytes of aux");
  }
}

TEST(RecordingWriter, AnEmptyRecordingIsNotTakenForAnUnfinishedOne) {
  const auto output =
      rewritten(RecordingBuilder().timed_event().sample_at(100).file(), {}, [](const Record&) { return false; });
  EXPECT_THAT(content_of(output).damage, IsEmpty());
  EXPECT_THAT(test::read_file(output).records, ElementsAre(RecordType::finished_round));
}

TEST(RecordingWriter, ACheckpointIsAWholeRecordingOfWhatCameBefore) {
  for (const std::optional<int> level : {std::optional<int>(), std::optional(1)}) {
    RecordingBuilder in = RecordingBuilder().timed_event();
    for (std::uint64_t time = 1; time <= 10; ++time) in.sample_at(time);
    in.feature(Feature::clock_id, in.bytes().u64(1));
    const auto input = in.file();
    MemorySink sink;
    RecordingWriter writer(header_content(*test::FileInMemory(input)), {.compression_level = level}, sink);
    writer.write_records(in.records());
    writer.checkpoint();
    EXPECT_EQ(test::read_file(sink.bytes).samples, test::read_file(input).samples);
    EXPECT_EQ(test::FileInMemory(sink.bytes)->features().clock_resolution_ns, 1u);
    EXPECT_THAT(content_of(sink.bytes).damage, IsEmpty());

    writer.write_records(in.records());
    if (!level) {
      EXPECT_EQ(test::read_file(sink.bytes).samples, test::read_file(input).samples);
    }
    writer.finish();
    EXPECT_EQ(test::read_file(sink.bytes).samples.size(), 20u);
    EXPECT_EQ(writer.size(), sink.bytes.size());
  }
}

// perf 6.1 knows 128 bytes. The fields beyond them are 0 here.
TEST(RecordingWriter, AttrsOfDifferentSizesAreMadeEquallyLongAndNotLongerThanNeeded) {
  RecordingBuilder in;
  for (const std::uint32_t size : {112u, 136u}) {
    in.event({.sample_type = sample_bit::ip | sample_bit::tid | sample_bit::time | sample_bit::identifier,
              .flags = test::sample_id_all,
              .size = size},
             {size});
  }
  const auto output = rewritten(in.pipe(), {});
  const test::FileInMemory file(output);
  ASSERT_EQ(file->events().size(), 2u);
  EXPECT_EQ(file->events()[0]->attr.size, 128u);
  EXPECT_EQ(file->events()[1]->attr.size, 128u);
  EXPECT_THAT(file->events()[0]->ids, ElementsAre(112u));
  EXPECT_THAT(file->events()[1]->ids, ElementsAre(136u));
}

TEST(RecordingWriter, AnAttrKeepsFieldsThatOnlyNewerVersionsKnow) {
  RecordingBuilder in;
  in.event({.sample_type = sample_bit::ip, .size = 152}, {1}).round();  // the bytes beyond 144 are filled with ones
  const auto output = rewritten(in.file(), {});
  EXPECT_EQ(test::FileInMemory(output)->events()[0]->attr.size, 152u);
}

// A table of attrs may have more room for each attr than the attr needs. The rest has no meaning, even if the attr is
// made longer.
TEST(RecordingWriter, BytesBehindAnAttrDoNotBecomePartOfTheAttr) {
  RecordingBuilder in;
  const std::uint64_t type = sample_bit::ip | sample_bit::branch_stack;
  in.event({.sample_type = type, .branch_sample_type = branch_sample::hw_index}, {1});
  in.event({.sample_type = type, .branch_sample_type = branch_sample::hw_index}, {2}).round();
  auto input = in.file();
  constexpr std::size_t attrs = 104 + 2 * 8, size_in_attr = 4;
  input[attrs + size_in_attr] = std::byte{64};  // the first ends before branch_sample_type
  const auto output = rewritten(input, {});
  const test::FileInMemory file(output);
  EXPECT_EQ(file->events()[0]->attr.branch_sample_type, 0u);
  EXPECT_EQ(file->events()[1]->attr.branch_sample_type, branch_sample::hw_index);
}

TEST(RecordingWriter, AFeatureWithoutContentDoesNotStandBeforeOthers) {
  RecordingBuilder in = RecordingBuilder().timed_event().round();
  in.feature(Feature::version, in.bytes()).feature(Feature::clock_id, in.bytes().u64(1));
  in.feature(Feature::branch_stack, in.bytes());
  const auto output = rewritten(in.file(), {});
  EXPECT_THAT(
      test::FileInMemory(output)->features().present,
      ElementsAre(static_cast<std::uint32_t>(Feature::branch_stack), static_cast<std::uint32_t>(Feature::clock_id)));
}

TEST(RecordingWriter, FeaturesTooLargeForAPipeAreReportedAndNamesAreNotLost) {
  RecordingBuilder in = RecordingBuilder().timed_event();
  const auto description = [&](std::size_t ids) {
    auto section = in.bytes();
    section.u32(1).u32(64).u32(1).u32(64).zeros(56).u32(static_cast<std::uint32_t>(ids)).u32(8).padded("my name");
    for (std::size_t id = 0; id < ids; ++id) section.u64(77);
    return section;
  };
  RecordingBuilder with_ids;
  with_ids.event({.sample_type = sample_bit::ip}, {77}).round().feature(Feature::event_description, description(9000));
  const auto input = with_ids.file();
  const test::FileInMemory recording(input);
  MemorySink sink;
  RecordingWriter writer(header_content(*recording), {.form = WriteForm::pipe}, sink);
  writer.finish();
  EXPECT_THAT(writer.left_out(), ElementsAre(static_cast<std::uint32_t>(Feature::event_description)));
  EXPECT_THAT(content_of(sink.bytes).names, ElementsAre("my name"));
}

TEST(RecordingWriter, AnEventWithMoreIdsThanARecordHoldsDoesNotGoIntoAPipe) {
  RecordingBuilder in;
  in.event({.sample_type = sample_bit::ip}, std::vector<std::uint64_t>(9000, 1));
  EXPECT_NO_THROW(rewritten(in.file(), {}));
  EXPECT_THROW(rewritten(in.file(), {.form = WriteForm::pipe}), Error);
}

// HEADER_LAST_FEATURE of perf 6.1: perf report 6.1 refuses any other unknown number.
TEST(RecordingWriter, TheEndOfFeaturesIsThatOfTheOldestPerfThatKnowsThemAll) {
  const auto mark = [](const RecordingBuilder& in) {
    return header_content(*test::FileInMemory(rewritten(in.file(), {.form = WriteForm::pipe}))).end_of_features;
  };
  RecordingBuilder old = RecordingBuilder().timed_event().round(), newer = RecordingBuilder().timed_event().round();
  old.feature(Feature::clock_id, old.bytes().u64(1));
  newer.feature(Feature::cln_size, newer.bytes().u32(64));
  EXPECT_EQ(mark(old), 32u);
  EXPECT_EQ(mark(newer), 35u);
}

TEST(RecordingWriter, ALargeStreamIsCompressedInPiecesThatPerfsBufferHolds) {
  RecordingBuilder in = RecordingBuilder().timed_event();
  std::uint64_t noise = 1;
  for (std::uint64_t time = 1; time <= 40'000; ++time) in.sample_at(time, noise = noise * 0x9e3779b97f4a7c15 + time);
  const auto input = in.file();
  const auto output = rewritten(input, {.compression_level = 1});
  EXPECT_EQ(test::read_file(output).samples, test::read_file(input).samples);

  // Decompresses as perf does, one record at a time: no record expands to more than mmap_len.
  Owned<ZSTD_DStream, ZSTD_freeDStream> stream(ZSTD_createDStream());
  std::vector<std::byte> room(std::size_t{4} << 20);
  std::size_t largest = 0, total = 0;
  const test::FileInMemory file(output);
  RecordWalk walk(Bytes(output).subspan(file->header().data_offset, file->header().data_size), ByteOrder::native, 0);
  for (Record record; walk.next(record);) {
    ASSERT_EQ(record.header.type, RecordType::compressed);
    ZSTD_inBuffer from{record.payload.data(), record.payload.size(), 0};
    ZSTD_outBuffer to{room.data(), room.size(), 0};
    ASSERT_FALSE(ZSTD_isError(ZSTD_decompressStream(stream.get(), &to, &from)));
    ASSERT_EQ(from.pos, from.size);
    largest = std::max(largest, to.pos);
    total += to.pos;
  }
  EXPECT_EQ(total, in.records().size());
  EXPECT_LE(largest, file->features().compression->mmap_len);
}

TEST(RecordOutput, NeighboursLeaveAsOnePieceAndSmallPiecesTogether) {
  std::vector<std::size_t> writes;
  class Sink : public ByteSink {
   public:
    explicit Sink(std::vector<std::size_t>& sizes) : sizes_(sizes) {}
    void write(Bytes bytes) override { sizes_.push_back(bytes.size()); }
    void write_at(std::uint64_t, Bytes) override {}

   private:
    std::vector<std::size_t>& sizes_;
  } sink(writes);
  const std::vector<std::byte> file(1 << 20);
  RecordOutput out(sink);
  for (std::size_t at = 0; at < file.size() / 2; at += 64) out.write(Bytes(file).subspan(at, 64));
  out.write(Bytes(file).subspan(700'000, 100));
  out.write(Bytes(file).subspan(800'000, 200));
  out.flush();
  EXPECT_THAT(writes, ElementsAre(file.size() / 2, 300));
  EXPECT_EQ(out.size(), file.size() / 2 + 300);
}

TEST(HeaderContent, AStreamIsRefused) {
  const auto pipe = full_recording().pipe();
  EXPECT_THROW(header_content(*test::stream_in_memory(pipe)), InputError);
}

TEST(VisitRecords, DamagedBytesAreLeftOut) {
  RecordingBuilder in = RecordingBuilder().timed_event();
  for (std::uint64_t time = 1; time <= 10; ++time) in.sample_at(time);
  in.raw(std::vector<std::byte>(24, std::byte{0xff}));
  for (std::uint64_t time = 11; time <= 20; ++time) in.sample_at(time);
  const auto input = in.file();
  const auto output = rewritten(input, {});
  EXPECT_EQ(test::read_file(output).samples, test::read_file(input).samples);
  EXPECT_THAT(content_of(output).damage, IsEmpty());
  EXPECT_EQ(test::read_file(input).damaged_bytes(), 24u);
}

}  // namespace
}  // namespace perfsift::reader
