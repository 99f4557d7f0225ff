// Features of a run.
#include "record/machine/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <time.h>

#include "base/version.h"
#include "reader/tracepoint/tracing_data.h"
#include "tests/record/made_roots.h"

namespace perfsift::record {
namespace {

using ::testing::ElementsAre;

reader::EventEntry entry_of(const reader::EventAttr& attr, std::vector<std::uint64_t> ids) {
  return {.attr = encode_event_attr(attr, 136, ByteOrder::native), .ids = std::move(ids)};
}

TEST(Run, DescribesItsEvents) {
  reader::Features features;
  add_run(features, {.events = {entry_of({.type = 1, .config = 9}, {31, 32}),
                                entry_of({.type = 0, .sample_type = reader::sample_bit::branch_stack}, {33})},
                     .event_names = {"dummy:u", "cycles"},
                     .groups = {{.name = "{dummy:u,cycles}", .leader = 0, .members = 2}},
                     .command_line = {"/usr/bin/perfsift", "record", "a b"}});
  EXPECT_EQ(features.version, std::string("perfsift ") + version());
  EXPECT_THAT(features.command_line, ElementsAre("/usr/bin/perfsift", "record", "a b"));
  ASSERT_EQ(features.event_descriptions.size(), 2u);
  EXPECT_EQ(features.event_descriptions[0].name, "dummy:u");
  EXPECT_EQ(features.event_descriptions[0].attr.config, 9u);
  EXPECT_THAT(features.event_descriptions[0].ids, ElementsAre(31, 32));
  EXPECT_TRUE(features.branch_stack);
  EXPECT_EQ(features.groups.size(), 1u);
  EXPECT_FALSE(features.clock_data);
}

TEST(Run, TheClockOfTheEventsIsReadTogetherWithTheWallClock) {
  reader::EventAttr attr{.type = 1};
  attr.set(reader::attr_flag::use_clockid);
  attr.clock_id = CLOCK_MONOTONIC;
  const auto seconds = [](clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec);
  };
  reader::Features features;
  const auto before = seconds(CLOCK_MONOTONIC);
  add_run(features, {.events = {entry_of(attr, {})}, .event_names = {"a"}, .groups = {}, .command_line = {}});
  ASSERT_TRUE(features.clock_data && features.clock_resolution_ns);
  EXPECT_EQ(features.clock_data->version, 1u);
  EXPECT_EQ(features.clock_data->clock_id, static_cast<std::uint32_t>(CLOCK_MONOTONIC));
  EXPECT_GE(features.clock_data->clock_ns / 1'000'000'000, before);
  EXPECT_LE(features.clock_data->clock_ns / 1'000'000'000, seconds(CLOCK_MONOTONIC));
  EXPECT_GE(features.clock_data->wall_ns / 1'000'000'000, std::uint64_t{1'500'000'000});
  EXPECT_EQ(features.clock_resolution_ns, 1u);
}

TEST(Run, TracingDataHasTheFormatsOfItsTracepointsOnce) {
  const MadeRoots made;
  made.sys("tracing/events/header_page", "page");
  made.sys("tracing/events/header_event", "event");
  made.sys("tracing/events/sched/sched_switch/format", "name: sched_switch\nID: 316\n");
  made.sys("tracing/events/sched/sched_wakeup/format", "name: sched_wakeup\nID: 319\n");
  made.sys("tracing/events/irq/irq_handler_entry/format", "name: irq_handler_entry\nID: 151\n");
  made.sys("tracing/printk_formats", "0xffffffff81a00000 : \"text\"\n");
  made.sys("tracing/saved_cmdlines", "7 demo\n");
  const auto bytes = tracing_data_of({{"sched", "sched_switch"},
                                      {"irq", "irq_handler_entry"},
                                      {"sched", "sched_wakeup"},
                                      {"sched", "sched_switch"},
                                      {"no", "such"}},
                                     made.path("sys/tracing"));
  const auto data = reader::read_tracing_data(bytes);
  ASSERT_TRUE(data && data->whole);
  ASSERT_EQ(data->formats.size(), 3u);
  EXPECT_EQ(data->formats[0].system, "irq");
  EXPECT_EQ(data->formats[1].text, "name: sched_switch\nID: 316\n");
  EXPECT_EQ(data->formats[2].text, "name: sched_wakeup\nID: 319\n");
  EXPECT_EQ(data->header_page, "page");
  EXPECT_EQ(data->header_event, "event");
  EXPECT_EQ(data->kallsyms, "");
  EXPECT_EQ(data->printk_formats, "0xffffffff81a00000 : \"text\"\n");
  EXPECT_EQ(data->saved_cmdlines, "7 demo\n");
  EXPECT_EQ(data->long_size, sizeof(long));
  EXPECT_TRUE(tracing_data_of({}, made.path("sys/tracing")).empty());
}

}  // namespace
}  // namespace perfsift::record
