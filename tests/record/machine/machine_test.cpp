// Features of a machine, from made trees. The expected values follow from the write_*() functions in
// tools/perf/util/header.c.
#include "record/machine/machine.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/machine/topology.h"
#include "tests/record/made_roots.h"

namespace perfsift::record {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two cores with two threads each; CPU 3 is off line, CPU 4 is possible but not present.
void make_machine(const MadeRoots& made) {
  made.sys("devices/system/cpu/present", "0-3\n");
  made.sys("devices/system/cpu/online", "0-2\n");
  made.sys("devices/system/cpu/possible", "0-4\n");
  for (int cpu = 0; cpu < 3; ++cpu) {
    const std::string folder = fmt::format("devices/system/cpu/cpu{}/", cpu);
    made.sys(folder + "topology/package_cpus_list", "0-2\n");
    made.sys(folder + "topology/core_cpus_list", cpu < 2 ? "0-1\n" : "2\n");
    made.sys(folder + "topology/die_cpus_list", "0-2\n");
    made.sys(folder + "topology/core_id", fmt::format("{}\n", cpu / 2));
    made.sys(folder + "topology/physical_package_id", "1\n");
    made.sys(folder + "topology/die_id", "0\n");
    for (int level = 1; level <= 2; ++level) {
      const std::string cache = folder + fmt::format("cache/index{}/", level);
      made.sys(cache + "level", fmt::format("{}\n", level));
      made.sys(cache + "coherency_line_size", "64\n");
      made.sys(cache + "number_of_sets", "1024\n");
      made.sys(cache + "ways_of_associativity", "8\n");
      made.sys(cache + "type", "Unified\n");
      made.sys(cache + "size", "512K\n");
      made.sys(cache + "shared_cpu_list", level == 2 ? "0-2\n" : cpu < 2 ? "0-1\n" : "2\n");
    }
  }
}

TEST(Machine, CpusAreCountedAsPerfCounts) {
  const MadeRoots made;
  make_machine(made);
  const auto features = machine_features(made.roots());
  EXPECT_EQ(features.cpus_available, 4u);
  EXPECT_EQ(features.cpus_online, 3u);
}

TEST(Machine, WithoutSysfsTheCpusThatAreOnlineAreCounted) {
  const MadeRoots made;
  made.proc("stat", "cpu  1 2 3\ncpu0 1 2 3\ncpu3 1 2 3\nintr 5\n");
  const auto features = machine_features(made.roots());
  EXPECT_EQ(features.cpus_available, std::nullopt);
  EXPECT_EQ(features.cpus_online, 2u);
}

TEST(Machine, TopologyHasEachListOnceAndAllPresentCpus) {
  const MadeRoots made;
  make_machine(made);
  const auto topology = cpu_topology(made.roots());
  ASSERT_TRUE(topology);
  EXPECT_THAT(topology->core_siblings, ElementsAre("0-2"));
  EXPECT_THAT(topology->thread_siblings, ElementsAre("0-1", "2"));
  EXPECT_THAT(topology->die_siblings, ElementsAre("0-2"));
  ASSERT_EQ(topology->cpus.size(), 4u);
  EXPECT_EQ(topology->cpus[2], (reader::CpuTopology::Cpu{.core = 1, .socket = 1, .die = 0}));
  EXPECT_EQ(topology->cpus[3], (reader::CpuTopology::Cpu{}));
}

TEST(Machine, OldKernelsHaveOtherNamesForSiblings) {
  const MadeRoots made;
  made.sys("devices/system/cpu/present", "0\n");
  made.sys("devices/system/cpu/online", "0\n");
  made.sys("devices/system/cpu/cpu0/topology/core_siblings_list", "0\n");
  made.sys("devices/system/cpu/cpu0/topology/thread_siblings_list", "0\n");
  const auto topology = cpu_topology(made.roots());
  ASSERT_TRUE(topology);
  EXPECT_THAT(topology->core_siblings, ElementsAre("0"));
  EXPECT_THAT(topology->thread_siblings, ElementsAre("0"));
  EXPECT_THAT(topology->die_siblings, IsEmpty());
  EXPECT_EQ(topology->cpus[0].die, -1);
}

TEST(Machine, CachesThatCpusShareAreThereOnce) {
  const MadeRoots made;
  make_machine(made);
  const auto caches = cpu_caches(made.roots());
  ASSERT_EQ(caches.size(), 3u);
  EXPECT_EQ(caches[0].cpus, "0-1");
  EXPECT_EQ(caches[1].cpus, "2");
  EXPECT_EQ(
      caches[2],
      (reader::CacheLevel{
          .level = 2, .line_size = 64, .sets = 1024, .ways = 8, .type = "Unified", .size = "512K", .cpus = "0-2"}));
}

TEST(Machine, MemoryHasItsNodesAndBlocks) {
  const MadeRoots made;
  made.proc("meminfo", "MemTotal:       8589934592 kB\nMemFree:         1 kB\n");
  made.sys("devices/system/memory/block_size_bytes", "8000000\n");
  made.sys("devices/system/node/online", "0,2\n");
  made.sys("devices/system/node/node0/meminfo",
           "Node 0 MemTotal:       5000000000 kB\nNode 0 MemFree:        1000 kB\n");
  made.sys("devices/system/node/node0/cpulist", "0-3\n");
  std::filesystem::create_directories(made.path("sys/devices/system/node/node0/memory1"));
  std::filesystem::create_directories(made.path("sys/devices/system/node/node0/memory65"));
  std::filesystem::create_directories(made.path("sys/devices/system/node/node2"));
  const auto features = machine_features(made.roots());
  EXPECT_EQ(features.total_memory_kb, 8589934592u);
  ASSERT_EQ(features.numa_nodes.size(), 2u);
  EXPECT_EQ(features.numa_nodes[0],
            (reader::NumaNode{.node = 0, .total_kb = 5000000000, .free_kb = 1000, .cpus = "0-3"}));
  EXPECT_EQ(features.numa_nodes[1].node, 2u);
  ASSERT_TRUE(features.memory_topology);
  EXPECT_EQ(features.memory_topology->block_size, 0x8000000u);
  ASSERT_EQ(features.memory_topology->nodes.size(), 2u);
  EXPECT_EQ(features.memory_topology->nodes[0].bits, 66u);
  EXPECT_THAT(features.memory_topology->nodes[0].bitmap, ElementsAre(2, 2));
  EXPECT_EQ(features.memory_topology->nodes[1].bits, 1u);
}

TEST(Machine, TheCpuOfX86HasItsNameAndNumbers) {
  const MadeRoots made;
  made.proc("cpuinfo",
            "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n"
            "model name\t: Intel(R) Xeon(R)   Platinum\nstepping\t: 8\n");
  const auto features = machine_features(made.roots());
  EXPECT_EQ(features.cpu_id, "GenuineIntel,6,143,8");
  EXPECT_EQ(features.cpu_description, "Intel(R) Xeon(R) Platinum");
}

TEST(Machine, TheCpuOfArmHasTheNumberOfItsRegister) {
  const MadeRoots made;
  made.proc("cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n");
  made.sys("devices/system/cpu/cpu0/regs/identification/midr_el1", "0x00000000413fd0c1\n");
  const auto features = machine_features(made.roots());
  EXPECT_EQ(features.cpu_id, "0x00000000410fd0c0");
  EXPECT_EQ(features.cpu_description, "");
}

TEST(Machine, PmusHaveTheirNumbersAndCapabilities) {
  const MadeRoots made;
  const auto pmu = [&](const std::string& name, int type) {
    made.sys("bus/event_source/devices/" + name + "/type", fmt::format("{}\n", type));
  };
  pmu("software", 1), pmu("cpu_core", 4), pmu("cpu_atom", 10), pmu("tracepoint", 2), pmu("cpu", 11);
  made.sys("bus/event_source/devices/cpu_core/cpus", "0-15\n");
  made.sys("bus/event_source/devices/cpu_atom/cpus", "16-23\n");
  made.sys("bus/event_source/devices/cpu_core/caps/branches", "32\n");
  made.sys("bus/event_source/devices/cpu_core/caps/pmu_name", "alderlake_hybrid\n");
  made.sys("bus/event_source/devices/cpu/caps/max_precise", "3\n");
  const auto features = machine_features(made.roots());
  std::vector<std::string> names;
  for (const auto& mapping : features.pmu_mappings) names.push_back(mapping.name);
  EXPECT_THAT(names, ElementsAre("software", "tracepoint", "cpu_core", "cpu_atom", "cpu"));
  EXPECT_THAT(features.hybrid_topology,
              ElementsAre(reader::HybridPmu{"cpu_atom", "16-23"}, reader::HybridPmu{"cpu_core", "0-15"}));
  ASSERT_EQ(features.pmu_capabilities.size(), 2u);
  EXPECT_EQ(features.pmu_capabilities[0].pmu, "");
  EXPECT_EQ(features.pmu_capabilities[1].pmu, "cpu_core");
  EXPECT_EQ(features.pmu_capabilities[1].capabilities[0], (std::pair<std::string, std::string>("branches", "32")));
}

TEST(Machine, AnEmptyTreeGivesTheSystemOnly) {
  const MadeRoots made;
  const auto features = machine_features(made.roots());
  EXPECT_NE(features.os_release, "");
  EXPECT_FALSE(features.cpus_available);
  EXPECT_FALSE(features.cpu_topology);
  EXPECT_FALSE(features.memory_topology);
  EXPECT_THAT(features.pmu_mappings, IsEmpty());
}

}  // namespace
}  // namespace perfsift::record
