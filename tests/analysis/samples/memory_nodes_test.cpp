#include "analysis/samples/memory_nodes.h"

#include <gtest/gtest.h>

namespace perfsift::analysis::memory_nodes_tests {  // a unity build compiles other tests in the same file
namespace {

reader::Features machine() {
  constexpr std::uint64_t block = 1 << 27;
  reader::Features features;
  features.numa_nodes = {{.node = 0, .cpus = "0-1,4"}, {.node = 3, .cpus = "2-3,x"}};
  features.memory_topology = reader::MemoryTopology{
      .version = 1,
      .block_size = block,
      .nodes = {{.node = 0, .bitmap = {0b0011}, .bits = 4}, {.node = 3, .bitmap = {0b1000, 1}, .bits = 65}}};
  return features;
}

TEST(MemoryNodes, OfCpus) {
  const MemoryNodes nodes(machine());
  EXPECT_EQ(nodes.of_cpu(4), 0u);
  EXPECT_EQ(nodes.of_cpu(3), 3u);
  EXPECT_FALSE(nodes.of_cpu(5));
  EXPECT_FALSE(nodes.of_cpu(-1));
}

TEST(MemoryNodes, OfPhysicalAddresses) {
  const MemoryNodes nodes(machine());
  EXPECT_EQ(nodes.of_physical((1 << 27) + 5), 0u);
  EXPECT_EQ(nodes.of_physical(3ull << 27), 3u);
  EXPECT_EQ(nodes.of_physical(64ull << 27), 3u);
  EXPECT_FALSE(nodes.of_physical(2ull << 27));  // a hole
  EXPECT_FALSE(nodes.of_physical(~0ull));
  EXPECT_FALSE(nodes.of_physical(0));
}

TEST(MemoryNodes, NothingIsKnownWithoutTheFeatures) {
  const MemoryNodes nodes({});
  EXPECT_FALSE(nodes.knows_cpus());
  EXPECT_FALSE(nodes.knows_memory());
  EXPECT_FALSE(nodes.of_physical(4096));
}

}  // namespace
}  // namespace perfsift::analysis::memory_nodes_tests
