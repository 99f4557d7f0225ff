#include "analysis/collect/collect_counts.h"

namespace perfsift::analysis {

void CollectCounts::add(const CollectCounts& other) {
  samples += other.samples;
  without_stack += other.without_stack;
  callchains += other.callchains;
  truncated += other.truncated;
  interrupts += other.interrupts;
  frames += other.frames;
  ends.add(other.ends);
  if (remarks.size() < other.remarks.size()) remarks.resize(other.remarks.size());
  for (std::size_t i = 0; i < other.remarks.size(); ++i) remarks[i] += other.remarks[i];
}

void CollectCounts::add_remark(std::uint32_t remark, std::uint64_t count) {
  if (remarks.size() <= remark) remarks.resize(remark + 1);
  remarks[remark] += count;
}

}  // namespace perfsift::analysis
