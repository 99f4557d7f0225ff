// Intervals of made records: what an interval's recording has, and that memory is bounded.

#include "tools/top/interval_records.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "reader/writer/records/loss.h"
#include "reader/writer/records/process.h"
#include "tests/support/bytes.h"
#include "tools/top/interval_reader.h"

namespace perfsift::tools::top_tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr std::uint64_t sample_type = reader::sample_bit::ip | reader::sample_bit::tid | reader::sample_bit::time;

reader::HeaderContent header_of_timed_event() {
  reader::EventAttr attr;
  attr.type = reader::event_type::software;
  attr.sample_type = sample_type;
  attr.set(reader::attr_flag::sample_id_all);
  reader::HeaderContent header;
  header.events.push_back({reader::encode_event_attr(attr, 144, ByteOrder::native), {1}});
  return header;
}

std::vector<std::byte> made_sample(std::uint64_t time, std::uint32_t tid) {
  test::BytesBuilder bytes;
  bytes.u32(9).u16(2).u16(32).u64(0x401000).u32(tid).u32(tid).u64(time);  // struct perf_event_header of a SAMPLE
  return bytes.take();
}

std::vector<std::byte> made_comm(std::uint64_t time, std::int32_t tid, const std::string& name) {
  reader::Encoding encoding;
  encoding.trailer = {.sample_type = sample_type, .id = {}};
  encoding.trailer.id.pid = encoding.trailer.id.tid = tid;
  encoding.trailer.id.time = time;
  return reader::encode_comm({.pid = tid, .tid = tid, .name = name}, encoding);
}

constexpr record::SideBandLimits limits{
    .window = std::chrono::seconds(2), .generation = std::size_t{1} << 16, .most = std::size_t{1} << 18};

// The samples of each thread's name, as perfsift top --sort comm reads them.
class Names {
 public:
  Names() {
    options::po::options_description description;
    options_.add_to(description);
    options::parse({"--sort", "comm"}, "", description);
    options_.complete();
    reader_ = std::make_unique<IntervalReader>(options_);
  }

  std::map<std::string, std::uint64_t> of(IntervalRecords& records) {
    const IntervalSamples samples = records.take();
    tables_ = reader_->read(records.recording_of(samples, header_of_timed_event()));
    std::map<std::string, std::uint64_t> names;
    for (const analysis::ReportTable& table : tables_.report->tables()) {
      for (const analysis::ReportRow& row : table.rows) names[std::string(row.cells.front())] = row.self.samples;
    }
    return names;
  }
  const InputReport& input() const { return tables_.input; }

 private:
  TopOptions options_;
  std::unique_ptr<IntervalReader> reader_;
  IntervalTables tables_;
};

// Records of a ring in one piece, as a pass over the rings gives them.
template <typename... Records>
std::vector<std::byte> joined(const Records&... records) {
  std::vector<std::byte> all;
  (all.insert(all.end(), records.begin(), records.end()), ...);
  return all;
}

TEST(IntervalRecords, AnIntervalHasItsOwnSamplesAndTheNamesOfAll) {
  IntervalRecords records(limits, 1 << 20);
  Names names;
  records.names().begin_generation(std::chrono::steady_clock::now());
  records.names().add_state(reader::encode_comm({.pid = 7, .tid = 7, .name = "ran before"},
                                                {.trailer = reader::Trailer::zeros(sample_type)}));
  records.records(
      0, joined(made_sample(100, 7), made_comm(110, 8, "starts later"), made_sample(120, 8), made_sample(130, 8)));
  EXPECT_THAT(names.of(records), UnorderedElementsAre(Pair("ran before", 1), Pair("starts later", 2)));
  EXPECT_THAT(names.of(records), IsEmpty());
  records.records(1, made_sample(200, 8));
  EXPECT_THAT(names.of(records), ElementsAre(Pair("starts later", 1)));
}

// The last pass over another ring may bring the name of a thread whose samples are there already.
TEST(IntervalRecords, ANameThatComesAfterTheIntervalCounts) {
  IntervalRecords records(limits, 1 << 20);
  records.records(0, made_sample(120, 8));
  const IntervalSamples samples = records.take();
  records.records(1, joined(made_comm(110, 8, "from another CPU"), made_sample(130, 8)));
  TopOptions options;
  options.shape.keys = {analysis::Key::comm};
  IntervalReader reader(options);
  const IntervalTables tables = reader.read(records.recording_of(samples, header_of_timed_event()));
  ASSERT_EQ(tables.report->tables().size(), 1u);
  EXPECT_EQ(tables.report->tables().front().rows.front().cells.front(), "from another CPU");
  EXPECT_EQ(tables.report->tables().front().all.samples, 1u);
}

// The date of a recording is part of what its files are known by: a date would load all symbols in each interval.
TEST(IntervalRecords, FilesAreTheSameInEachInterval) {
  IntervalRecords records(limits, 1 << 20);
  records.records(0, made_sample(100, 7));
  EXPECT_EQ(records.recording_of(records.take(), header_of_timed_event()).modified_seconds, 0);
}

TEST(IntervalRecords, LossesCountOnceAndInTheirInterval) {
  IntervalRecords records(limits, 1 << 20);
  Names names;
  reader::Encoding encoding;
  encoding.trailer = reader::Trailer::zeros(sample_type);
  records.records(0, joined(made_sample(100, 7), reader::encode_lost({.id = 1, .lost = 5}, encoding)));
  names.of(records);
  EXPECT_EQ(names.input().quality.lost_records, 5u);
  records.records(0, made_sample(200, 7));
  names.of(records);
  EXPECT_EQ(names.input().quality.lost_records, 0u);
}

TEST(IntervalRecords, SamplesBeyondTheLimitAreCounted) {
  IntervalRecords records(limits, 3 * made_sample(1, 1).size());
  for (std::uint64_t time = 1; time <= 10; ++time) records.records(0, made_sample(time, 7));
  IntervalSamples samples = records.take();
  EXPECT_EQ(samples.left_out, 7u);
  EXPECT_EQ(samples.records.bytes(), 3 * made_sample(1, 1).size());
  records.records(0, made_sample(11, 7));
  EXPECT_EQ(records.take().left_out, 0u);
}

// The caller begins a new generation when one is due, as perfsift top does after each interval.
TEST(IntervalRecords, ThreadsThatComeAndGoNeedNoMoreMemory) {
  IntervalRecords records(limits, 1 << 20);
  std::size_t most = 0;
  for (std::int32_t tid = 1; tid <= 100'000; ++tid) {
    records.records(0, joined(made_comm(static_cast<std::uint64_t>(tid), tid, "short"), made_sample(1, 7)));
    if (tid % 1000 != 0) continue;
    records.take();
    const auto now = std::chrono::steady_clock::now();
    if (records.names().is_generation_due(now)) records.names().begin_generation(now);
    most = std::max(most, records.names().bytes());
  }
  EXPECT_LT(most, 3 * limits.most);
}

}  // namespace
}  // namespace perfsift::tools::top_tests
