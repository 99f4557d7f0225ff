#include "dlfilters/host/filter_sample.h"

#include <vector>

#include <gtest/gtest.h>

namespace perfsift::dlfilter {
namespace {

using Words = std::vector<std::uint64_t>;

std::span<const Unaligned<std::uint64_t>> callchain_in(const Words& words, std::size_t from) {
  return {reinterpret_cast<const Unaligned<std::uint64_t>*>(words.data() + from), words.size() - from};
}

// Filters may read the number of addresses before the addresses: see struct ip_callchain in tools/perf/util/event.h.
class FilterSamples : public ::testing::Test {
 protected:
  FilterSamples() { event_.attr.sample_type = reader::sample_bit::ip | reader::sample_bit::callchain; }

  reader::Sample sample(const Words& record) {
    reader::Sample made;
    made.event = &event_;
    made.has_callchain = true;
    made.record = std::as_bytes(std::span(record));
    return made;
  }

  reader::Event event_;
};

TEST_F(FilterSamples, OfACallchainInItsRecordPointThere) {
  const Words record{0x1000, 2, 0x1000, 0x2000};
  reader::Sample recorded = sample(record);
  recorded.callchain = callchain_in(record, 2);
  FilterSample maker(ApiVersion::v2, ByteOrder::native);
  const Sample& told = maker.make(recorded);
  EXPECT_EQ(told.raw_callchain, &record[2]);
  EXPECT_EQ(told.raw_callchain[-1], told.raw_callchain_nr);
}

// The decoder copies a callchain of the other byte order. The data behind the callchain is only in the record.
TEST_F(FilterSamples, OfAForeignCallchainShowWhatStandsBehindItToo) {
  const Words in_our_order{0x1000, 2, 0x1000, 0x2000, 0x52};
  Words record = in_our_order;
  for (std::uint64_t& word : record) word = byte_swap(word);
  const Words swapped{0x1000, 0x2000};
  reader::Sample recorded = sample(record);
  recorded.callchain = callchain_in(swapped, 0);
  FilterSample maker(ApiVersion::v2, ByteOrder::swapped);
  const Sample& told = maker.make(recorded);
  EXPECT_EQ(Words(told.raw_callchain - 1, told.raw_callchain + 3), (Words{2, 0x1000, 0x2000, 0x52}));
}

TEST_F(FilterSamples, OfACallchainOfTwoRecordsHaveItsLengthInFrontOfIt) {
  const Words record{0x1000, 1, 0x1000};
  const Words joined{0x1000, 0x2000, 0x3000};
  reader::Sample recorded = sample(record);
  recorded.callchain = callchain_in(joined, 0);
  for (const ByteOrder order : {ByteOrder::native, ByteOrder::swapped}) {
    Words swapped = record;
    if (order == ByteOrder::swapped)
      for (std::uint64_t& word : swapped) word = byte_swap(word);
    recorded.record = std::as_bytes(std::span(swapped));
    FilterSample maker(ApiVersion::v2, order);
    const Sample& told = maker.make(recorded);
    ASSERT_EQ(told.raw_callchain_nr, 3U);
    EXPECT_EQ(Words(told.raw_callchain - 1, told.raw_callchain + 3), (Words{3, 0x1000, 0x2000, 0x3000}));
  }
}

}  // namespace
}  // namespace perfsift::dlfilter
