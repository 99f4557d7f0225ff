// The terms of events are from arch/x86/events/intel/core.c, arch/x86/events/amd/ibs.c and drivers/perf/arm_spe_pmu.c.
#include "analysis/memory/latency_threshold.h"

#include <gtest/gtest.h>

#include "analysis/memory/memory_access.h"

namespace perfsift::analysis {
namespace {

using Kind = LatencyThreshold::Kind;

reader::Features machine(const std::string& cpu_id) {
  reader::Features features;
  features.cpu_id = cpu_id;
  features.pmu_mappings = {{4, "cpu"}, {8, "cpu_core"}, {10, "cpu_atom"}, {11, "ibs_op"}, {12, "arm_spe_0"}};
  return features;
}

reader::Event event_of(std::uint32_t type, std::uint64_t config, std::uint64_t config1, const std::string& name = "") {
  reader::Event event;
  event.attr.type = type;
  event.attr.config = config;
  event.attr.config1 = config1;
  event.name = name;
  return event;
}

void expect(const std::optional<LatencyThreshold>& threshold, Kind kind, std::uint64_t cycles) {
  ASSERT_TRUE(threshold);
  EXPECT_EQ(threshold->kind, kind);
  EXPECT_EQ(threshold->cycles, cycles);
}

TEST(LatencyThreshold, OfIntelsLoads) {
  const reader::Features intel = machine("GenuineIntel,6,151,2");
  expect(latency_threshold(event_of(4, 0x1cd, 64, "LOAD_LATENCY"), intel), Kind::loads, 64);
  expect(latency_threshold(event_of(8, 0x1cd, 30), intel), Kind::loads, 30);
  expect(latency_threshold(event_of(10, 0x5d0, 30), intel), Kind::loads, 30);
  expect(latency_threshold(event_of(4, 0x1cd, 0, "cpu/mem-loads,ldlat=30/P"), intel), Kind::loads, 30);
  expect(latency_threshold(event_of(99, 0, 0, "cpu/mem-loads,ldlat=0x20/P"), intel), Kind::loads, 32);
  EXPECT_FALSE(latency_threshold(event_of(4, 0x1cd, 3), intel));    // the default, which every load reaches
  EXPECT_FALSE(latency_threshold(event_of(4, 0x82d0, 64), intel));  // stores
  EXPECT_FALSE(latency_threshold(event_of(1, 0x1cd, 64), intel));   // not an event of a core
  EXPECT_FALSE(latency_threshold(event_of(4, 0x1cd, 64), machine("AuthenticAMD,25,17,1")));
}

TEST(LatencyThreshold, OfIbs) {
  reader::Event event = event_of(11, 1u << 16, 200);
  event.ibs = reader::IbsUnit::op;
  expect(latency_threshold(event, machine("AuthenticAMD,26,2,1")), Kind::misses, 200);
  EXPECT_TRUE(samples_l3_misses_only(event));
  event.attr.config = event.attr.config1 = 0;
  EXPECT_FALSE(latency_threshold(event, machine("AuthenticAMD,26,2,1")));
  EXPECT_FALSE(samples_l3_misses_only(event));
}

TEST(LatencyThreshold, OfSpe) {
  reader::Event event = event_of(12, 0, 0);
  event.attr.config2 = 50;
  expect(latency_threshold(event, machine("0x00000000410fd0c0")), Kind::all, 50);
}

TEST(MemoryEvents, AreTheEventsOfAccesses) {
  reader::Event event = event_of(4, 0x1cd, 30, "cpu_core/mem-loads,ldlat=30/P");
  EXPECT_FALSE(is_memory_event(event));  // without an address
  event.attr.sample_type = reader::sample_bit::addr;
  EXPECT_TRUE(is_memory_event(event));
  event.name = "cpu_core/mem-loads-aux/";
  EXPECT_FALSE(is_memory_event(event));
  event = event_of(1, 9, 0, "dummy:u");
  event.attr.sample_type = reader::sample_bit::addr;
  EXPECT_FALSE(is_memory_event(event));
  event = event_of(12, 0, 0, "ibs_fetch//");
  event.attr.sample_type = reader::sample_bit::addr;
  event.ibs = reader::IbsUnit::fetch;
  EXPECT_FALSE(is_memory_event(event));
}

}  // namespace
}  // namespace perfsift::analysis
