// Feature sections, encoded. Layouts: write_*() in tools/perf/util/header.c.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/writer/features/features.h"
#include "tests/support/bytes.h"
#include "tests/support/full_recording.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;
using ::testing::ElementsAre;

class FeatureEncoder : public ::testing::TestWithParam<ByteOrder> {
 protected:
  ByteOrder order() const { return GetParam(); }
  BytesBuilder bytes() const { return BytesBuilder(GetParam()); }
  // A string as do_write_string() writes it: padded to 64 bytes.
  BytesBuilder string(std::string_view text) const {
    auto out = bytes();
    out.u32(64).text(text).zeros(64 - text.size());
    return out;
  }
  Features decoded(const std::map<std::uint32_t, std::vector<std::byte>>& sections) const {
    Features features;
    for (const auto& [number, section] : sections) decode_feature(number, section, order(), features);
    return features;
  }
};
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, FeatureEncoder, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

// The full recording has every feature, in bytes written by hand.
TEST_P(FeatureEncoder, EveryFeatureIsReadBack) {
  const auto recording = test::full_recording(order());
  Features written;
  for (const auto& [number, section] : recording.features()) decode_feature(number, section, order(), written);
  written.tracing_data = test::tracing_data(order());

  const auto sections = encode_features(written, order());
  EXPECT_EQ(sections.size(), last_known_feature);
  Features read = decoded(sections);
  EXPECT_THAT(read.malformed, ElementsAre());
  read.present = written.present, read.unknown = written.unknown;
  EXPECT_EQ(read, written);
}

TEST_P(FeatureEncoder, WhatIsNotThereHasNoSection) {
  EXPECT_TRUE(encode_features({}, order()).empty());
  Features with_mark;
  with_mark.branch_stack = true;
  EXPECT_EQ(encode_feature(Feature::branch_stack, with_mark, order()), std::vector<std::byte>());
}

TEST_P(FeatureEncoder, StringsArePaddedAsPerfPadsThem) {
  Features features;
  features.hostname = "host";
  EXPECT_EQ(encode_feature(Feature::hostname, features, order()), string("host").take());
  features.hostname = std::string(64, 'x');  // the NUL needs another 64 bytes
  EXPECT_EQ(encode_feature(Feature::hostname, features, order()),
            bytes().u32(128).text(features.hostname).zeros(64).take());
}

TEST_P(FeatureEncoder, CpuTopologyHasTheBytesOfPerf) {
  Features features;
  features.cpu_topology = CpuTopology{.core_siblings = {"0-1"},
                                      .thread_siblings = {"0", "1"},
                                      .die_siblings = {"0-1"},
                                      .cpus = {{.core = 0, .socket = 5, .die = 7}, {.core = 1, .socket = 5, .die = 7}}};
  auto expected = bytes();
  expected.u32(1).bytes(string("0-1").view());
  expected.u32(2).bytes(string("0").view()).bytes(string("1").view());
  expected.u32(0).u32(5).u32(1).u32(5);
  expected.u32(1).bytes(string("0-1").view()).u32(7).u32(7);
  EXPECT_EQ(encode_feature(Feature::cpu_topology, features, order()), expected.take());
}

TEST_P(FeatureEncoder, AttrsOfEventDescriptionsHaveOneSize) {
  Features features;
  features.event_descriptions = {{.attr = {.type = 1, .size = 72, .config = 3}, .name = "a", .ids = {31}},
                                 {.attr = {.type = 2, .size = 136, .config = 4}, .name = "b", .ids = {}}};
  const auto section = encode_feature(Feature::event_description, features, order());
  ASSERT_TRUE(section);
  EXPECT_EQ(section->size(), 8u + 2 * (136 + 4 + 4 + 64) + 8);
  Features read;
  decode_feature(static_cast<std::uint32_t>(Feature::event_description), *section, order(), read);
  ASSERT_EQ(read.event_descriptions.size(), 2u);
  EXPECT_EQ(read.event_descriptions[0].attr.config, 3u);
  EXPECT_EQ(read.event_descriptions[0].attr.size, 136u);
  EXPECT_THAT(read.event_descriptions[0].ids, ElementsAre(31));
  EXPECT_EQ(read.event_descriptions[1].name, "b");
}

}  // namespace
}  // namespace perfsift::reader
