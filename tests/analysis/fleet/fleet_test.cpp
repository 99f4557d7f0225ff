// The statistics of a fleet on hosts whose counts are drawn from known distributions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/fleet/fleet_costs.h"
#include "analysis/fleet/host_comparison.h"
#include "analysis/fleet/odd_hosts.h"

namespace perfsift::analysis {
namespace {

// Hosts that are drawn one after the other.
class Hosts {
 public:
  explicit Hosts(unsigned seed) : random_(seed) {
    for (int i = 0; i < 12; ++i) profiles.functions.push_back({.name = "f" + std::to_string(i), .binary = "app"});
  }

  // `shares`: of the functions f0, f1, …; a host spends in each of them some percent more or less.
  void add(const std::vector<double>& shares, int samples, double spread = 0.04) {
    std::vector<double> own;
    std::normal_distribution<double> habit(1, spread);
    for (const double share : shares) own.push_back(std::max(share * habit(random_), 0.0));
    std::discrete_distribution<std::uint32_t> draw(own.begin(), own.end());
    std::vector<std::uint64_t> counts(shares.size());
    for (int i = 0; i < samples; ++i) ++counts[draw(random_)];
    add_counts(counts);
  }
  void add_counts(const std::vector<std::uint64_t>& counts) {
    const auto host = static_cast<std::uint32_t>(profiles.hosts.size());
    profiles.hosts.push_back("host" + std::to_string(1000 + host));
    for (std::uint32_t i = 0; i < counts.size(); ++i) {
      if (counts[i] != 0)
        profiles.cells.push_back(
            {.host = host, .function = i + 1, .amount = {.samples = counts[i], .value = counts[i]}});
    }
  }

  HostProfiles profiles;

 private:
  std::mt19937 random_;
};

const std::vector<double> usual = {30, 20, 15, 10, 8, 6, 4, 3, 2, 1, 0.5, 0.5};

std::vector<std::string> odd_names(const HostProfiles& profiles, const OddHostRules& rules = {}) {
  const std::vector<HostDistances> distances = {host_distances(profiles, rules)};
  std::vector<std::string> names;
  const std::vector<std::vector<OddHost>> odd = odd_hosts(distances, rules);
  for (const OddHost& host : odd.front()) names.push_back(profiles.hosts[distances.front().hosts[host.index].host]);
  return names;
}

TEST(OddHosts, UsualHostsOfDifferentSizesAreNotOdd) {
  std::size_t odd = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Hosts hosts(seed);
    for (int i = 0; i < 40; ++i) hosts.add(usual, i % 4 == 0 ? 120 : 2000);
    odd += odd_names(hosts.profiles).size();
  }
  EXPECT_LE(odd, 1u);  // of 2,400 hosts: the level of 1 % is that of each of the 60 fleets
}

TEST(OddHosts, RogueHostsAreNamedWithTheirFunction) {
  int inside = 0;  // intervals with the true effect
  for (unsigned seed = 0; seed < 20; ++seed) {
    Hosts hosts(seed);
    std::vector<double> rogue = usual;
    rogue[11] += 30;
    for (int i = 0; i < 39; ++i) hosts.add(usual, 1000);
    hosts.add(rogue, 500);
    ASSERT_EQ(odd_names(hosts.profiles), std::vector<std::string>{"host1039"}) << seed;
    const HostDistance odd = host_distances(hosts.profiles, {}).hosts.back();
    ASSERT_TRUE(odd.function.has_value());
    EXPECT_EQ(odd.function->function.name, "f11");
    const double effect = 30.5 / 130 - 0.005;
    if (odd.function->effect.low <= effect && effect <= odd.function->effect.high) ++inside;
    EXPECT_LE(odd.distance.low, odd.distance.value);
    EXPECT_GE(odd.distance.high, odd.distance.value);
  }
  EXPECT_GE(inside, 16);
}

// A quarter of odd hosts does not hide itself by making the service's profile theirs.
TEST(OddHosts, ManyOddHostsAreAllNamed) {
  Hosts hosts(1);
  std::vector<double> other = usual;
  other[9] += 60;
  for (int i = 0; i < 40; ++i) hosts.add(i % 10 == 3 ? other : usual, 2000);
  EXPECT_EQ(odd_names(hosts.profiles).size(), 4u);
}

TEST(OddHosts, EqualHostsAreNoReasonToCallASmallDifferenceOdd) {
  Hosts hosts(1);
  for (int i = 0; i < 20; ++i) hosts.add_counts({500, 300, 200});
  hosts.add_counts({510, 290, 200});
  EXPECT_TRUE(odd_names(hosts.profiles).empty());
  hosts.add_counts({100, 100, 800});
  EXPECT_EQ(odd_names(hosts.profiles).size(), 1u);
}

TEST(OddHosts, FewHostsAndFewSamplesAreNotJudged) {
  Hosts hosts(1);
  for (int i = 0; i < 7; ++i) hosts.add(usual, 1000);
  hosts.add(usual, 99);
  const HostDistances distances = host_distances(hosts.profiles, {});
  EXPECT_TRUE(distances.hosts.empty());
  EXPECT_EQ(distances.too_few_samples, 1u);
  EXPECT_TRUE(odd_hosts({distances, HostDistances{}}, {}).front().empty());
}

// The interval of a share has the true share about as often as it says.
TEST(FleetCosts, IntervalsHaveTheTrueShare) {
  int inside = 0;
  constexpr int runs = 400;
  for (unsigned seed = 0; seed < runs; ++seed) {
    Hosts hosts(seed);
    for (int i = 0; i < 20; ++i) hosts.add(usual, i % 2 == 0 ? 300 : 900, 0.2);
    FleetCosts costs;
    costs.add("service", hosts.profiles);
    const std::vector<FunctionCost> all = costs.take(0.05);
    const auto first = std::ranges::find(all, "f0", [](const FunctionCost& cost) { return cost.function.name; });
    if (first->share.low <= 0.3 && 0.3 <= first->share.high) ++inside;
  }
  EXPECT_GT(inside, runs * 0.92);
  EXPECT_LT(inside, runs * 0.98);
}

TEST(FleetCosts, AddUpServicesAndHosts) {
  Hosts first(1), second(1);
  first.add_counts({6, 4});
  first.add_counts({10});
  second.add_counts({0, 20});
  FleetCosts costs;
  costs.add("a", first.profiles);
  costs.add("b", second.profiles);
  const std::vector<FunctionCost> all = costs.take(0.05);
  EXPECT_EQ(costs.hosts(), 2u);
  EXPECT_EQ(costs.all().samples, 40u);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].function.name, "f1");
  EXPECT_EQ(all[0].amount.samples, 24u);
  EXPECT_EQ(all[0].hosts, 1u);  // of both services
  EXPECT_EQ(all[1].hosts, 2u);
  EXPECT_DOUBLE_EQ(all[1].share.value, 0.4);
}

TEST(FleetCosts, OneHostHasTheIntervalOfIndependentSamples) {
  Hosts hosts(1);
  hosts.add_counts({50, 50});
  FleetCosts costs;
  costs.add("a", hosts.profiles);
  const Estimate share = costs.take(0.05).front().share;
  EXPECT_NEAR(share.low, 0.404, 0.001);  // Wilson's score interval of 50 in 100
  EXPECT_NEAR(share.high, 0.596, 0.001);
}

Verdict compare(const Hosts& before, const Hosts& after) {
  return compare_hosts({.profiles = before.profiles, .hosts = std::vector<Run>(before.profiles.hosts.size())},
                       {.profiles = after.profiles, .hosts = std::vector<Run>(after.profiles.hosts.size())}, "cycles",
                       {.with_interrupts = true});
}

TEST(HostComparison, ASlowerVersionOnATenthOfTheHostsIsNamed) {
  std::vector<double> slower = usual;
  slower[3] *= 1.5;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Hosts before(seed), after(seed + 1000);
    for (int i = 0; i < 36; ++i) before.add(usual, 2000);
    for (int i = 0; i < 4; ++i) after.add(slower, 2000);
    const Verdict verdict = compare(before, after);
    ASSERT_FALSE(verdict.findings.empty()) << seed;
    EXPECT_EQ(verdict.outcome, Outcome::failed);
    EXPECT_EQ(verdict.findings.front().kind, FindingKind::dearer);
    EXPECT_EQ(verdict.findings.front().function.name, "f3");
  }
}

TEST(HostComparison, EqualVersionsHaveNoFalseNames) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Hosts before(seed), after(seed + 1000);
    for (int i = 0; i < 36; ++i) before.add(usual, 2000);
    for (int i = 0; i < 4; ++i) after.add(usual, 2000);
    const Verdict verdict = compare(before, after);
    EXPECT_EQ(verdict.outcome, Outcome::passed) << seed;
    EXPECT_GT(verdict.tests, 5u);
    EXPECT_FALSE(verdict.any(FindingKind::cheaper) || verdict.any(FindingKind::gone)) << seed;
  }
}

}  // namespace
}  // namespace perfsift::analysis
