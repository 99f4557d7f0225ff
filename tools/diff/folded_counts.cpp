#include "tools/diff/folded_counts.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

namespace perfsift::tools {
namespace {

using analysis::Profile;
using analysis::StackList;

// 1 without any stack.
std::uint64_t common_divisor(const Profile& profile) {
  std::uint64_t divisor = 0;
  for (const StackList& list : profile.lists()) {
    for (const StackList::Entry& stack : list.entries()) divisor = std::gcd(divisor, stack.amount.value);
  }
  return std::max<std::uint64_t>(divisor, 1);
}

std::string note_of(std::uint64_t weight, std::string_view counts = "counts") {
  if (weight == 1)
    return "counts are taken for samples; if they are weights, such as periods, the intervals are too narrow";
  return fmt::format("{} are multiples of {}, which is taken for the weight of a sample", counts, weight);
}

}  // namespace

std::string take_counts_for_samples(Profile& side) {
  const std::uint64_t weight = common_divisor(side);
  side.set_samples(weight);
  return note_of(weight);
}

std::string take_counts_for_samples(Profile& before, Profile& after) {
  const std::uint64_t first = common_divisor(before), second = common_divisor(after);
  const bool one_is_scaled = first == 1 || second == 1;
  const std::uint64_t weight = one_is_scaled ? std::max(first, second) : std::gcd(first, second);
  before.set_samples(weight);
  after.set_samples(weight);
  return note_of(weight, one_is_scaled ? "the counts of one side" : "counts");
}

}  // namespace perfsift::tools
