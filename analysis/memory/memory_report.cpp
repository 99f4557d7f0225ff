#include "analysis/memory/memory_report.h"

namespace perfsift::analysis {

// Some latencies are 1 more than the mean, so that the sum is exact.
void AccessSums::add(const MemoryAccess& access, const Amount& of_all) {
  amount += of_all;
  if (access.is_load()) loads += of_all.samples;
  if (access.is_store()) stores += of_all.samples;
  if (access.latency == 0 || of_all.samples == 0) return;
  const std::uint64_t mean = of_all.value / of_all.samples, larger = of_all.value % of_all.samples;
  latency.add(mean + 1, larger);
  latency.add(mean, of_all.samples - larger);
}

void AccessSums::add(const AccessSums& other) {
  amount += other.amount;
  loads += other.loads;
  stores += other.stores;
  latency.add(other.latency);
}

}  // namespace perfsift::analysis
