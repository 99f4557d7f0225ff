#include "dlfilters/module/events_by_attr.h"

#include <array>
#include <cstring>

#include <gtest/gtest.h>

namespace perfsift::dlfilter {
namespace {

// Memory in which perf holds an attr.
struct Place {
  std::array<std::byte, 128> attr{};

  explicit Place(std::uint64_t sample_type) { write(sample_type); }
  void write(std::uint64_t sample_type) {
    constexpr std::size_t offset = 24;
    std::memcpy(attr.data() + offset, &sample_type, sizeof sample_type);
  }
};

Sample sample_of(const char* event) {
  Sample sample{};
  sample.event = event;
  return sample;
}

TEST(EventsByAttr, AnEventInTheMemoryOfAnotherHasAnIndexOfItsOwn) {
  Place first(reader::sample_bit::ip), second(reader::sample_bit::ip);
  EventsByAttr events;
  const Sample loads = sample_of("loads"), cycles = sample_of("cycles");
  EXPECT_EQ(events.of(loads, first.attr.data()).index, 0u);
  EXPECT_EQ(events.of(cycles, second.attr.data()).index, 1u);
  EXPECT_EQ(events.of(loads, first.attr.data()).index, 0u);
  EXPECT_EQ(events.of(cycles, first.attr.data()).index, 2u);
  EXPECT_EQ(events.of(cycles, first.attr.data()).index, 2u);
  first.write(reader::sample_bit::addr);
  const reader::Event& other = events.of(cycles, first.attr.data());
  EXPECT_EQ(other.index, 3u);
  EXPECT_TRUE(other.knows(reader::sample_bit::addr));
  EXPECT_EQ(events.of(cycles, second.attr.data()).index, 1u);
}

}  // namespace
}  // namespace perfsift::dlfilter
