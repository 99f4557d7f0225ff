#include "analysis/fleet/odd_hosts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "analysis/gate/statistics.h"
#include "base/median.h"

namespace perfsift::analysis {
namespace {

constexpr double normal_mad = 1.4826;  // the standard deviation of a normal distribution in median absolute deviations

// Functions of which a host has fewer samples are one function in its distance, as in a chi-square test: a few more
// samples than expected are likelier there than the square roots' noise tells.
constexpr double fewest_expected = 5;

constexpr double mean_deviation = 0.7979;  // of a normal distribution, in standard deviations

// The standard deviation, as the middle half of the values tells it.
double robust_deviation(std::vector<double> values) {
  const double middle = median(values);
  for (double& value : values) value = std::abs(value - middle);
  return normal_mad * median(std::move(values));
}

double mean_of_middle_half(std::vector<double>& values) {
  std::ranges::sort(values);
  const std::size_t left_out = values.size() / 4;
  const auto middle = std::span(values).subspan(left_out, values.size() - 2 * left_out);
  return std::accumulate(middle.begin(), middle.end(), 0.0) / static_cast<double>(middle.size());
}

// The expected square of √X - √mean, of a number of samples X with Poisson's distribution.
double root_noise(double mean) {
  constexpr double many = 30;
  if (mean > many) return 0.25 + 3 / (32 * mean);
  double probability = std::exp(-mean), roots = 0;
  for (int k = 1; k < 100; ++k) {
    probability *= mean / k;
    roots += std::sqrt(k) * probability;
  }
  return std::max(2 * mean - 2 * std::sqrt(mean) * roots, 0.0);
}

// root_noise() from a table, as it is needed for each function of each host.
class RootNoise {
 public:
  RootNoise() {
    for (std::size_t i = 0; i < table_.size(); ++i) table_[i] = root_noise(static_cast<double>(i) / steps);
  }
  double of(double mean) const {
    const double place = mean * steps;
    const auto index = static_cast<std::size_t>(std::min(place, static_cast<double>(table_.size())));
    if (index + 1 >= table_.size()) return root_noise(mean);
    const double part = place - static_cast<double>(index);
    return table_[index] * (1 - part) + table_[index + 1] * part;
  }

 private:
  static constexpr double steps = 16;  // for each sample
  std::vector<double> table_ = std::vector<double>(31 * static_cast<std::size_t>(steps));
};

class Distances {
 public:
  Distances(const HostProfiles& profiles, const OddHostRules& rules) : profiles_(profiles), rules_(rules) {}

  HostDistances measure() {
    find_hosts();
    if (found_.hosts.size() < rules_.min_hosts) return {.too_few_samples = found_.too_few_samples};
    find_usual_profile();
    for (std::size_t i = 0; i < found_.hosts.size(); ++i) compare(i);
    find_usual_distance();
    for (std::size_t i = 0; i < found_.hosts.size(); ++i) judge(i);
    return std::move(found_);
  }

 private:
  std::size_t functions() const { return profiles_.functions.size(); }

  void find_hosts() {
    for_each_host(profiles_, [&](std::uint32_t host, std::span<const HostCell> cells) {
      HostDistance of{.host = host};
      for (const HostCell& cell : cells) of.samples += cell.amount.samples;
      if (of.samples < rules_.min_samples) {
        found_.too_few_samples += of.samples != 0 ? 1 : 0;
        return;
      }
      found_.hosts.push_back(of);
      cells_.push_back(cells);
    });
  }

  // The shares of a function on the hosts.
  std::vector<double> shares_of(const std::vector<std::vector<std::pair<std::size_t, double>>>& by_function,
                                std::size_t function) const {
    std::vector<double> shares(found_.hosts.size());
    for (const auto& [host, share] : by_function[function]) shares[host] = share;
    return shares;
  }

  void find_usual_profile() {
    std::vector<std::vector<std::pair<std::size_t, double>>> by_function(functions());
    for (std::size_t host = 0; host < cells_.size(); ++host) {
      for (const HostCell& cell : cells_[host])
        by_function[cell.function].emplace_back(
            host, static_cast<double>(cell.amount.samples) / static_cast<double>(found_.hosts[host].samples));
    }
    usual_.resize(functions());
    deviations_.resize(functions());
    for (std::size_t function = 0; function < functions(); ++function) {
      std::vector<double> shares = shares_of(by_function, function);
      usual_[function] = mean_of_middle_half(shares);
      deviations_[function] = robust_deviation(std::move(shares));
    }
    const double all = std::accumulate(usual_.begin(), usual_.end(), 0.0);
    if (all <= 0) return;
    for (double& share : usual_) share /= all;
  }

  // Sets the distance, and what it comes from.
  void compare(std::size_t i) {
    HostDistance& host = found_.hosts[i];
    const auto samples = static_cast<double>(host.samples);
    std::vector<double> shares(functions());
    for (const HostCell& cell : cells_[i]) shares[cell.function] = static_cast<double>(cell.amount.samples) / samples;
    double squares = 0, noise = 0;
    const auto add = [&](double share, double usual) {
      const double difference = std::sqrt(share) - std::sqrt(usual);
      squares += difference * difference / 2;
      noise += noise_.of(usual * samples) / (2 * samples);
      host.elsewhere += std::abs(share - usual) / 2;
      host.by_chance += mean_deviation * std::sqrt(usual * (1 - usual) / samples) / 2;
    };
    double rare_share = 0, rare_usual = 0;
    std::size_t farthest = 0;
    for (std::size_t function = 0; function < functions(); ++function) {
      const double share = shares[function], usual = usual_[function];
      if (usual * samples < fewest_expected) {
        rare_share += share;
        rare_usual += usual;
      } else {
        add(share, usual);
      }
      if (std::abs(share - usual) > std::abs(shares[farthest] - usual_[farthest])) farthest = function;
    }
    add(rare_share, rare_usual);
    host.distance.value = std::sqrt(squares);
    host.function = odd_function(farthest, shares[farthest], samples);
    squares_.push_back(squares);
    noises_.push_back(noise);
  }

  OddFunction odd_function(std::size_t function, double share, double samples) const {
    const double usual = usual_[function], effect = share - usual;
    const double drawn = share * (1 - share) / samples;
    const double radius = limit() * std::sqrt(drawn + deviations_[function] * deviations_[function]);
    return {.function = profiles_.functions[function],
            .usual = usual,
            .effect = {.value = effect, .low = effect - radius, .high = effect + radius}};
  }

  double freedom() const { return static_cast<double>(found_.hosts.size() - 1); }
  double limit() const { return student_limit(rules_.interval_level, freedom()); }

  // Sets what hosts differ by in addition to the noise of their samples, and the usual quotient.
  void find_usual_distance() {
    std::vector<double> beyond, distances, elsewhere;
    for (std::size_t i = 0; i < squares_.size(); ++i) {
      beyond.push_back(squares_[i] - noises_[i]);
      distances.push_back(found_.hosts[i].distance.value);
      elsewhere.push_back(found_.hosts[i].elsewhere);
    }
    beyond_ = std::max(median(std::move(beyond)), 0.0);
    found_.usual = median(std::move(distances));
    found_.usual_elsewhere = median(std::move(elsewhere));
    for (std::size_t i = 0; i < squares_.size(); ++i) roots_.push_back(std::cbrt(squares_[i] / expected(i)));
    middle_ = median(roots_);
    deviation_ = robust_deviation(roots_);
  }

  double expected(std::size_t host) const { return std::max(beyond_ + noises_[host], 1e-12); }

  void judge(std::size_t i) {
    HostDistance& host = found_.hosts[i];
    // Hosts may agree by chance, but not by more than their samples allow: this is the deviation of a chi-square's cube
    // root, whose degrees of freedom are the functions that the host has samples of.
    const double degrees = std::max(8 * static_cast<double>(host.samples) * noises_[i], 1.0);
    const double deviation = std::max(deviation_, std::sqrt(2 / (9 * degrees)));
    const double t = (roots_[i] - middle_) / deviation;
    host.p = t > 0 ? student_tails(t, freedom()) / 2 : 1;
    const auto distance_of = [&](double root) { return std::sqrt(std::pow(std::max(root, 0.0), 3) * expected(i)); };
    host.distance.low = distance_of(roots_[i] - limit() * deviation);
    host.distance.high = std::min(distance_of(roots_[i] + limit() * deviation), 1.0);
  }

  const HostProfiles& profiles_;
  const OddHostRules& rules_;
  const RootNoise noise_;
  HostDistances found_;
  std::vector<std::span<const HostCell>> cells_;  // by judged host
  std::vector<double> usual_, deviations_;        // by function
  std::vector<double> squares_, noises_, roots_;  // by judged host
  double beyond_ = 0, middle_ = 0, deviation_ = 0;
};

}  // namespace

HostDistances host_distances(const HostProfiles& profiles, const OddHostRules& rules) {
  return Distances(profiles, rules).measure();
}

std::vector<std::vector<OddHost>> odd_hosts(const std::vector<HostDistances>& services, const OddHostRules& rules) {
  std::vector<double> p;
  for (const HostDistances& service : services) {
    for (const HostDistance& host : service.hosts) p.push_back(host.p);
  }
  const std::vector<double> adjusted = benjamini_hochberg(p);
  std::vector<std::vector<OddHost>> odd;
  std::size_t at = 0;
  for (const HostDistances& service : services) {
    std::vector<OddHost>& of_service = odd.emplace_back();
    for (std::size_t i = 0; i < service.hosts.size(); ++i, ++at) {
      const HostDistance& host = service.hosts[i];
      const bool matters = host.elsewhere - std::max(service.usual_elsewhere, host.by_chance) >= rules.min_share;
      if (adjusted[at] <= rules.level && matters) of_service.push_back({.index = i, .adjusted_p = adjusted[at]});
    }
    std::ranges::stable_sort(of_service, std::ranges::greater{},
                             [&](const OddHost& each) { return service.hosts[each.index].distance.value; });
  }
  return odd;
}

}  // namespace perfsift::analysis
