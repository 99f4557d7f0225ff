#include "analysis/memory/memory_report.h"

namespace perfsift::analysis {

void AccessSums::add(const AccessSums& other) {
  amount += other.amount;
  loads += other.loads;
  stores += other.stores;
  latency.add(other.latency);
}

}  // namespace perfsift::analysis
