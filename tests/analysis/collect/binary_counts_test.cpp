#include "analysis/collect/binary_counts.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/format/sample.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"

namespace perfsift::analysis {
namespace {

using reader::RecordType;
using test::BytesBuilder;
using testing::ElementsAre;
using testing::Pair;
namespace bit = reader::sample_bit;

BytesBuilder mmap(std::uint64_t start, std::string_view path) {
  return BytesBuilder().u32(7).u32(7).u64(start).u64(0x1000).u64(0).padded(path);
}

BytesBuilder sample(const std::vector<std::uint64_t>& chain) {
  BytesBuilder payload;
  payload.u64(chain.empty() ? 0x1010 : chain[0]).u32(7).u32(7).u64(100).u64(chain.size());
  for (const std::uint64_t entry : chain) payload.u64(entry);
  return payload;
}

TEST(BinaryCounts, ASampleCountsOnceForEveryBinaryItHasAFrameIn) {
  test::RecordingBuilder in;
  in.event({.sample_type = bit::ip | bit::tid | bit::time | bit::callchain});
  in.record(RecordType::mmap, mmap(0x1000, "/app"), 2).record(RecordType::mmap, mmap(0x2000, "/lib.so"), 2);
  in.record(RecordType::mmap, mmap(0x3000, "/never.so"), 2);
  in.record(RecordType::sample, sample({0x2010, 0x2020, 0x1030, 0x1040}), 2);
  in.record(RecordType::sample, sample({0x1010, 0x9000}), 2);
  in.record(RecordType::sample, sample({}), 2);  // only the sampled address
  const test::TemporaryDirectory directory;
  const auto recording = reader::Recording::open(directory.write("perf.data", in.file()));

  for (const unsigned threads : {1u, 3u}) {
    const BinaryCounts counts = count_binaries(*recording, {}, threads);
    EXPECT_EQ(counts.samples, 3u);
    std::map<std::string, std::uint64_t> by_path;
    for (std::size_t i = 0; i < counts.with_frame_in.size(); ++i)
      by_path[recording->timeline().binaries()[i].path] = counts.with_frame_in[i];
    EXPECT_THAT(by_path, ElementsAre(Pair("/app", 3), Pair("/lib.so", 1), Pair("/never.so", 0)));
  }
}

}  // namespace
}  // namespace perfsift::analysis
