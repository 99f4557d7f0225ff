// Adds up accesses that are equal in all that does not need their addresses.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "analysis/memory/summed_accesses.h"

namespace perfsift::analysis {

// Each collecting thread has its own object, and add() joins them. Not thread-safe.
class AccessSummer {
 public:
  // `key`: without the number of its stack. `stack`: root first.
  void add(SummedAccess key, const std::vector<FrameId>& stack, const Amount& amount);
  // `other`: with numbers of the same texts and frames.
  void add(const AccessSummer& other);
  SummedAccesses sums(const FrameTable& frames) const;

 private:
  std::map<std::vector<FrameId>, std::uint32_t> stacks_;
  std::vector<const std::vector<FrameId>*> in_order_;
  std::unordered_map<SummedAccess, Amount, HashOfSummedAccess> sums_;
};

}  // namespace perfsift::analysis
