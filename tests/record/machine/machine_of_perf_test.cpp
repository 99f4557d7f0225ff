// The features of this machine, as perf record writes them here.
#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/tracepoint/tracing_data.h"
#include "record/machine/machine.h"
#include "record/machine/run.h"
#include "tests/record/perf_beside.h"
#include "tests/support/emulated.h"

namespace perfsift::record {
namespace {

template <typename List>
List sorted_by_name(List list) {
  std::ranges::sort(list, {}, [](const auto& one) { return one.name; });
  return list;
}

TEST(MachineOfPerf, HasEqualFeatures) {
  const PerfBeside perf("-e cpu-clock -- true");
  if (!perf.recording) GTEST_SKIP() << perf.why_not;
  const auto& expected = perf.recording->features();
  const auto ours = machine_features();
  EXPECT_EQ(ours.hostname, expected.hostname);
  EXPECT_EQ(ours.os_release, expected.os_release);
  if (!test::emulated()) {  // perf runs on the machine itself
    EXPECT_EQ(ours.arch, expected.arch);
  }
  EXPECT_EQ(ours.cpus_available, expected.cpus_available);
  EXPECT_EQ(ours.cpus_online, expected.cpus_online);
  EXPECT_EQ(ours.cpu_description, expected.cpu_description);
  EXPECT_EQ(ours.cpu_id, expected.cpu_id);
  EXPECT_EQ(ours.total_memory_kb, expected.total_memory_kb);
  EXPECT_EQ(ours.cpu_topology, expected.cpu_topology);
  EXPECT_EQ(ours.caches, expected.caches);
  EXPECT_EQ(ours.memory_topology, expected.memory_topology);
  EXPECT_EQ(ours.hybrid_topology, expected.hybrid_topology);
  EXPECT_EQ(sorted_by_name(ours.pmu_mappings), sorted_by_name(expected.pmu_mappings));
  EXPECT_EQ(ours.pmu_capabilities, expected.pmu_capabilities);
  ASSERT_EQ(ours.numa_nodes.size(), expected.numa_nodes.size());
  for (std::size_t i = 0; i < ours.numa_nodes.size(); ++i) {  // free memory changes
    EXPECT_EQ(ours.numa_nodes[i].node, expected.numa_nodes[i].node);
    EXPECT_EQ(ours.numa_nodes[i].total_kb, expected.numa_nodes[i].total_kb);
    EXPECT_EQ(ours.numa_nodes[i].cpus, expected.numa_nodes[i].cpus);
  }
}

TEST(MachineOfPerf, HasEqualTracingData) {
  const PerfBeside perf("-e sched:sched_switch,sched:sched_wakeup,irq:irq_handler_entry -- true");
  if (!perf.recording) GTEST_SKIP() << perf.why_not;
  const auto theirs = reader::read_tracing_data(perf.recording->features().tracing_data);
  const auto bytes = tracing_data_of(
      {{"sched", "sched_switch"}, {"sched", "sched_wakeup"}, {"irq", "irq_handler_entry"}}, "/sys/kernel/tracing");
  const auto ours = reader::read_tracing_data(bytes);
  ASSERT_TRUE(ours && theirs && ours->whole && theirs->whole);
  const auto texts = [](const reader::TracingData& data) {
    std::set<std::pair<std::string, std::string>> formats;
    for (const auto& format : data.formats) formats.emplace(format.system, format.text);
    return formats;
  };
  EXPECT_EQ(texts(*ours).size(), 3u);
  EXPECT_EQ(texts(*ours), texts(*theirs));
  EXPECT_EQ(ours->version, theirs->version);
  EXPECT_EQ(ours->big_endian, theirs->big_endian);
  EXPECT_EQ(ours->long_size, theirs->long_size);
  EXPECT_EQ(ours->page_size, theirs->page_size);
  EXPECT_EQ(ours->header_page, theirs->header_page);
  EXPECT_EQ(ours->header_event, theirs->header_event);
  EXPECT_EQ(ours->kallsyms, theirs->kallsyms);
  EXPECT_EQ(ours->printk_formats, theirs->printk_formats);
}

}  // namespace
}  // namespace perfsift::record
