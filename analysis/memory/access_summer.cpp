#include "analysis/memory/access_summer.h"

namespace perfsift::analysis {

void AccessSummer::add(SummedAccess key, const std::vector<FrameId>& stack, const Amount& amount) {
  const auto [known, is_new] = stacks_.try_emplace(stack, static_cast<std::uint32_t>(in_order_.size()));
  if (is_new) in_order_.push_back(&known->first);
  key.stack = known->second;
  sums_[key] += amount;
}

void AccessSummer::add(const AccessSummer& other) {
  for (const auto& [key, amount] : other.sums_) add(key, *other.in_order_[key.stack], amount);
}

SummedAccesses AccessSummer::sums(const FrameTable& frames) const {
  SummedAccesses all{.frames = &frames, .stacks = {}, .sums = {}};
  for (const std::vector<FrameId>* const stack : in_order_) all.stacks.push_back(*stack);
  for (const auto& [key, amount] : sums_) all.sums.push_back({.key = key, .amount = amount});
  return all;
}

}  // namespace perfsift::analysis
