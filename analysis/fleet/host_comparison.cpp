#include "analysis/fleet/host_comparison.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "analysis/gate/judge.h"
#include "analysis/gate/stack_table.h"
#include "analysis/profile/profile.h"

namespace perfsift::analysis {
namespace {

// Each function as a stack of one frame.
class FunctionStacks {
 public:
  // The number in the profile of each function's stack. A function of both sides has one for each.
  std::vector<std::uint32_t> add(const HostProfiles& profiles) {
    std::vector<std::uint32_t> numbers;
    for (const FunctionName& function : profiles.functions) {
      FrameOrigin origin{.kind = FrameKind::user};
      if (!function.binary.empty()) origin.binary = profile_.frames().binary({.path = function.binary, .build_id = {}});
      const FrameId frame = profile_.frames().intern(foldable(function.name), origin);
      numbers.push_back(static_cast<std::uint32_t>(list_.entries().size()));
      list_.add(event_, std::span(&frame, 1), {.samples = 1, .value = 1});
    }
    return numbers;
  }
  const Profile& profile() const { return profile_; }

 private:
  Profile profile_;
  EventId event_ = profile_.event("");
  StackList& list_ = profile_.new_list();
};

GateSide side_of(HostSide side, const std::vector<std::uint32_t>& in_profile, const GateStacks& stacks) {
  GateSide result;
  for_each_host(side.profiles, [&](std::uint32_t host, std::span<const HostCell> cells) {
    if (cells.empty()) return;
    Run& run = result.runs.emplace_back(std::move(side.hosts[host]));
    for (const HostCell& cell : cells) {
      run.counts.push_back(
          {.stack = stacks.stack_of(in_profile[cell.function]), .block = 0, .samples = cell.amount.samples});
    }
    std::ranges::sort(run.counts, {}, &BlockCount::stack);
  });
  return result;
}

}  // namespace

Verdict compare_hosts(HostSide before, HostSide after, const std::string& event, const Rules& rules) {
  FunctionStacks functions;
  const std::vector<std::uint32_t> first = functions.add(before.profiles), second = functions.add(after.profiles);
  const GateStacks stacks(functions.profile());
  Verdict verdict = judge(stacks, side_of(std::move(before), first, stacks), side_of(std::move(after), second, stacks),
                          event, rules, {});
  conclude(verdict);
  return verdict;
}

}  // namespace perfsift::analysis
