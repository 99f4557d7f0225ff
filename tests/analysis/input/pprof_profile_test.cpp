// Profiles of pprof written byte by byte, by the numbers of profile.proto.

#include "analysis/input/pprof_profile.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "analysis/collect/pprof_collector.h"
#include "analysis/collect/pprof_labels.h"
#include "analysis/input/input_kind.h"
#include "base/error.h"

namespace perfsift::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value) { return varint(field << 3) + varint(value); }
std::string message(unsigned field, const std::string& content) {
  return varint(field << 3 | 2) + varint(content.size()) + content;
}

// One sample type, cpu/count. main of a.c calls leaf, with inlined() in it.
const std::string types = message(1, number(1, 1) + number(2, 2));
const std::string samples = message(2, message(1, varint(1) + varint(2)) + message(2, varint(300))) +
                            message(2, number(1, 2) + number(2, 7));  // not packed
const std::string tables = message(3, number(1, 1) + number(2, 0x1000) + number(3, 0x2000) + number(5, 6)) +
                           message(4, number(1, 1) + number(2, 1) + number(3, 0x1234) + message(4, number(1, 3)) +
                                          message(4, number(1, 2) + number(2, 42))) +
                           message(4, number(1, 2) + message(4, number(1, 1))) +
                           message(5, number(1, 1) + number(2, 3)) + message(5, number(1, 2) + number(2, 4)) +
                           message(5, number(1, 3) + number(2, 5));
const std::string strings = message(6, "") + message(6, "cpu") + message(6, "count") + message(6, "main") +
                            message(6, "leaf") + message(6, "inlined") + message(6, "/bin/a");

Bytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

struct Read {
  std::vector<std::string> stacks;
  PprofStats stats;
};

Read read(const std::string& file) {
  const PprofProfile profile(bytes_of(file));
  Read read;
  read.stats = profile.visit([&](const PprofSample& sample) {
    std::string stack;
    for (const PprofLocation* location : sample.locations) {
      for (const PprofLine& line : location->lines) stack += std::string(line.function) + ' ';
    }
    read.stacks.push_back(stack + std::to_string(sample.values[0]));
  });
  return read;
}

TEST(PprofProfile, LocationsHaveInlinedCallsInnermostFirst) {
  const Read all = read(types + samples + tables + strings);
  EXPECT_THAT(all.stacks, ElementsAre("inlined leaf main 300", "main 7"));
  EXPECT_EQ(all.stats.samples, 2u);
  EXPECT_EQ(all.stats.malformed, 0u);
}

TEST(PprofProfile, TheOrderOfFieldsDoesNotMatter) {
  EXPECT_THAT(read(strings + tables + samples + types).stacks, ElementsAre("inlined leaf main 300", "main 7"));
}

TEST(PprofProfile, SamplesOfMissingLocationsAreCounted) {
  const std::string missing = message(2, number(1, 9) + number(2, 1));
  const Read all = read(types + missing + samples + tables + strings);
  EXPECT_THAT(all.stacks, ElementsAre("inlined leaf main 300", "main 7"));
  EXPECT_EQ(all.stats.malformed, 1u);
  EXPECT_EQ(all.stats.first_malformed, "there is no location 9");
}

// A sample that is left out must not give later samples a stack that was never visited.
TEST(PprofProfile, SamplesOfOneStackShareItsNumber) {
  const auto sample = [](std::uint64_t location, std::uint64_t value) {
    return message(2, message(1, varint(location)) + message(2, varint(value)));
  };
  const std::string file = types + sample(1, 1) + sample(1, 2) + sample(2, ~std::uint64_t{0}) + sample(2, 4) +
                           sample(2, 5) + sample(1, 6) + tables + strings;
  const PprofProfile profile(bytes_of(file));
  EXPECT_EQ(profile.samples(), 6u);
  EXPECT_EQ(profile.locations(), 2u);
  std::map<std::uint64_t, std::string> values;
  profile.visit([&](const PprofSample& each) { values[each.stack] += std::to_string(each.values[0]); });
  std::vector<std::string> groups;
  for (const auto& [stack, group] : values) groups.push_back(group);
  EXPECT_THAT(groups, ElementsAre("12", "45", "6"));
  EXPECT_FALSE(values.contains(0));
}

TEST(PprofNumbers, AnyIdsAreFound) {
  PprofNumbers numbers;
  constexpr std::uint64_t most = ~std::uint64_t{0};
  EXPECT_TRUE(numbers.add(5000, 0));  // far from the others, until more numbers are added
  for (std::uint32_t i = 0; i < 9999; ++i) EXPECT_EQ(numbers.add(i, i + 1), i != 5000);
  EXPECT_TRUE(numbers.add(most, 12345));
  EXPECT_FALSE(numbers.add(most, 1));
  EXPECT_EQ(numbers.find(5000), 0u);
  EXPECT_EQ(numbers.find(0), 1u);
  EXPECT_EQ(numbers.find(4999), 5000u);
  EXPECT_EQ(numbers.find(9998), 9999u);
  EXPECT_EQ(numbers.find(most), 12345u);
  EXPECT_EQ(numbers.find(9999), std::nullopt);
  EXPECT_EQ(numbers.find(most - 1), std::nullopt);
}

TEST(PprofLabels, TheFirstLabelOfAKeyCounts) {
  const std::string keys[] = {"run", "pid", "comm", "thread_comm", "moon"};
  const std::vector<PprofLabel> labels{{.key = keys[0], .number = 3},   {.key = keys[0], .number = 4},
                                       {.key = keys[1], .number = -5},  {.key = keys[2], .text = "process"},
                                       {.key = keys[3], .text = "one"}, {.key = keys[4], .number = 1}};
  PprofLabelReader reader;
  const PprofLabelValues first = reader.read({.labels = labels});
  EXPECT_EQ(first.run, 3);
  EXPECT_EQ(first.pid, -1);  // does not fit
  EXPECT_EQ(first.cpu, -1);
  EXPECT_EQ(first.comm, "process");
  EXPECT_EQ(first.thread_comm, "one");
  ASSERT_EQ(reader.others().size(), 1u);
  EXPECT_EQ(reader.others().front().key, "moon");
  // The same keys at different places.
  const std::vector<PprofLabel> turned(labels.rbegin(), labels.rend());
  const PprofLabelValues second = reader.read({.labels = turned});
  EXPECT_EQ(second.run, 4);
  EXPECT_EQ(second.comm, "process");
  EXPECT_EQ(reader.read({.labels = std::span(labels).subspan(4)}).run, -1);
}

TEST(PprofProfile, AWrongNumberOfValuesAndNegativeValuesAreCounted) {
  const std::string two = message(2, number(2, 1) + number(2, 1)), negative = message(2, number(2, ~std::uint64_t{0}));
  const Read all = read(types + two + negative + tables + strings);
  EXPECT_TRUE(all.stacks.empty());
  EXPECT_EQ(all.stats.malformed, 2u);
  EXPECT_THAT(all.stats.first_malformed, HasSubstr("2 values"));
}

TEST(PprofProfile, NumbersOfMissingStringsAreEmptyTexts) {
  const std::string wild =
      message(5, number(1, 8) + number(2, 1u << 30)) + message(4, number(1, 8) + message(4, number(1, 8)));
  EXPECT_THAT(read(types + message(2, number(1, 8) + number(2, 1)) + wild + strings).stacks, ElementsAre(" 1"));
}

TEST(PprofProfile, EveryCutIsAnErrorOrReadsLess) {
  const std::string whole = types + samples + tables + strings;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      EXPECT_LE(read(whole.substr(0, size)).stats.samples, 2u);
    } catch (const InputError&) {
    }
  }
}

TEST(PprofProfile, ChangedBytesAreHarmless) {
  const std::string whole = types + samples + tables + strings;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\0', '\1', '\x7f', '\x80', '\xff'}) {
      std::string changed = whole;
      changed[at] = value;
      try {
        EXPECT_LE(read(changed).stats.samples, 3u);
      } catch (const InputError&) {
      }
    }
  }
}

TEST(PprofProfile, KindIsKnownByTheFirstBytes) {
  const std::string whole = types + samples + tables + strings;
  EXPECT_EQ(input_kind(bytes_of(whole)), InputKind::pprof);
  EXPECT_EQ(input_kind(bytes_of(whole + strings + std::string(input_kind_bytes, '\xff'))), InputKind::unknown);
  for (const std::string text : {"\n", "\nmain;f 3\n", "\n\nmain;f 3\n", "a;b 1\n"})
    EXPECT_NE(input_kind(bytes_of(text)), InputKind::pprof) << text;
}

TEST(PprofEvents, PairsAreOneEvent) {
  const auto names = [](const std::vector<PprofValueType>& value_types) {
    std::vector<std::string> result;
    for (const PprofEvent& event : pprof_events(value_types)) {
      result.push_back(event.name + ' ' + std::to_string(event.count != PprofEvent::none ? event.count : 9) + ' ' +
                       std::to_string(event.value));
    }
    return result;
  };
  EXPECT_THAT(names({{"cycles_sample", "count"}, {"cycles_event", "count"}}), ElementsAre("cycles 0 1"));
  EXPECT_THAT(names({{"samples", "count"}, {"cpu", "nanoseconds"}}), ElementsAre("cpu 0 1"));
  EXPECT_THAT(
      names(
          {{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}}),
      ElementsAre("alloc_space 0 1", "inuse_space 2 3"));
  EXPECT_THAT(names({{"a", "count"}, {"b", "count"}}), ElementsAre("a 0 0", "b 1 1"));
  EXPECT_THAT(names({{"delay", "nanoseconds"}}), ElementsAre("delay 9 0"));
}

}  // namespace
}  // namespace perfsift::analysis
