#include "analysis/fleet/fleet_costs.h"

#include <algorithm>
#include <cmath>

#include "analysis/comparison/change.h"
#include "analysis/gate/statistics.h"

namespace perfsift::analysis {

std::uint32_t FleetCosts::number_of(const std::string& host) {
  return hosts_.try_emplace(host, static_cast<std::uint32_t>(hosts_.size())).first->second;
}

void FleetCosts::add(std::string_view service, const HostProfiles& profiles) {
  std::vector<Sums*> sums;  // by function
  for (const FunctionName& function : profiles.functions)
    sums.push_back(&functions_[std::pair(function.name, function.binary)]);
  for (std::size_t function = HostProfiles::others + 1; function < sums.size(); ++function)
    sums[function]->services.emplace_back(service);
  const std::vector<Amount> of_hosts = profiles.of_hosts();
  for_each_host(profiles, [&](std::uint32_t host, std::span<const HostCell> cells) {
    if (cells.empty()) return;
    const std::uint32_t number = number_of(profiles.hosts[host]);
    const auto all = static_cast<double>(of_hosts[host].value);
    ++units_;
    all_ += of_hosts[host];
    squares_of_all_ += all * all;
    for (const HostCell& cell : cells) {
      if (cell.function == HostProfiles::others) {
        others_ += cell.amount;
        continue;
      }
      Sums& to = *sums[cell.function];
      const auto value = static_cast<double>(cell.amount.value);
      to.amount += cell.amount;
      to.squares += value * value;
      to.products += value * all;
      to.hosts.resize(std::max<std::size_t>(to.hosts.size(), number + 1));
      to.hosts[number] = true;
    }
  });
}

Estimate FleetCosts::share_of(const Sums& sums, double level) const {
  const auto all = static_cast<double>(all_.value);
  if (all <= 0) return {};
  const double share = static_cast<double>(sums.amount.value) / all;
  if (units_ < 2) {
    const ShareInterval interval = interval_of_share(sums.amount, all_);
    return {.value = share, .low = interval.low / 100, .high = interval.high / 100};
  }
  const auto units = static_cast<double>(units_);
  const double residuals = sums.squares - 2 * share * sums.products + share * share * squares_of_all_;
  const double deviation = std::sqrt(std::max(residuals, 0.0) * units / (units - 1)) / all;
  const double radius = student_limit(level, units - 1) * deviation;
  return {.value = share, .low = std::max(share - radius, 0.0), .high = std::min(share + radius, 1.0)};
}

std::vector<FunctionCost> FleetCosts::take(double level) const {
  std::vector<FunctionCost> costs;
  for (const auto& [name, sums] : functions_) {
    if (sums.amount.samples == 0) continue;
    costs.push_back({.function = {.name = name.first, .binary = name.second},
                     .amount = sums.amount,
                     .share = share_of(sums, level),
                     .hosts = static_cast<std::uint64_t>(std::ranges::count(sums.hosts, true)),
                     .services = sums.services});
    std::ranges::sort(costs.back().services);
  }
  std::ranges::stable_sort(costs, std::ranges::greater{}, [](const FunctionCost& cost) { return cost.amount.value; });
  return costs;
}

}  // namespace perfsift::analysis
