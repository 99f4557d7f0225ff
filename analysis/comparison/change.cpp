#include "analysis/comparison/change.h"

#include <algorithm>
#include <cmath>

namespace perfsift::analysis {
namespace {

constexpr double z = 1.959963984540054;  // 95 % of a normal distribution are within z standard deviations

double number(std::uint64_t count) { return static_cast<double>(count); }

// An estimate and its interval.
struct Estimate {
  double value = 0, low = 0, high = 0;

  Estimate scaled(double by) const { return {.value = value * by, .low = low * by, .high = high * by}; }
};

// The Wilson score interval of the proportion `some` / `all`.
Estimate proportion(double some, double all) {
  if (all <= 0) return {};
  const double share = some / all;
  const double middle = (some + z * z / 2) / (all + z * z);
  const double radius = z / (all + z * z) * std::sqrt(some * (all - some) / all + z * z / 4);
  // The bounds 0 and 1 are set exactly, because rounding would miss them.
  return {.value = share,
          .low = some > 0 ? std::max(middle - radius, 0.0) : 0,
          .high = some < all ? std::min(middle + radius, 1.0) : 1};
}

// The score interval of the mean of a Poisson distribution.
Estimate poisson(double count) {
  const double middle = count + z * z / 2, radius = z * std::sqrt(count + z * z / 4);
  return {.value = count, .low = count > 0 ? std::max(middle - radius, 0.0) : 0, .high = middle + radius};
}

// The mean weight of the samples of `part` in units of the mean weight of the samples of `all`.
double relative_weight(const Amount& part, const Amount& all) {
  const double samples = number(part.samples) * number(all.value);
  return samples > 0 ? number(part.value) * number(all.samples) / samples : 0;
}

// Without samples a weight is unknown. The weight of the other side's samples is then assumed.
void complete(double& weight, std::uint64_t samples, double other) {
  if (samples == 0) weight = other != 0 ? other : 1;
}

// The share of samples that each have `weight` times the mean weight of all samples, in percent.
Estimate share_of(const Amount& part, const Amount& all, double weight) {
  constexpr double percent = 100;
  Estimate estimate = proportion(number(part.samples), number(all.samples)).scaled(weight);
  estimate.high = std::max(std::min(estimate.high, 1.0), estimate.value);
  return estimate.scaled(percent);
}

Change change(const Amount& before, const Amount& after, const Estimate& from, const Estimate& to) {
  const double delta = to.value - from.value;
  Change change{.before = before,
                .after = after,
                .delta = delta,
                .low = delta - std::hypot(to.value - to.low, from.high - from.value),
                .high = delta + std::hypot(to.high - to.value, from.value - from.low)};
  change.significant = (change.low > 0 || change.high < 0) && before.samples + after.samples >= Change::least_samples;
  return change;
}

}  // namespace

Change change_of_shares(const Amount& before, const Amount& all_before, const Amount& after, const Amount& all_after) {
  double weight_before = relative_weight(before, all_before), weight_after = relative_weight(after, all_after);
  complete(weight_before, before.samples, weight_after);
  complete(weight_after, after.samples, weight_before);
  return change(before, after, share_of(before, all_before, weight_before), share_of(after, all_after, weight_after));
}

ShareInterval interval_of_share(const Amount& part, const Amount& all) {
  const Estimate share = share_of(part, all, part.samples != 0 ? relative_weight(part, all) : 1);
  return {.share = share.value, .low = share.low, .high = share.high};
}

ShareInterval interval_of_share(double some, double all) {
  constexpr double percent = 100;
  const Estimate share = proportion(some, all).scaled(percent);
  return {.share = share.value, .low = share.low, .high = share.high};
}

Change change_of_values(const Amount& before, const Amount& after) {
  const auto mean_weight = [](const Amount& amount) {
    return amount.samples != 0 ? number(amount.value) / number(amount.samples) : 0;
  };
  double weight_before = mean_weight(before), weight_after = mean_weight(after);
  complete(weight_before, before.samples, weight_after);
  complete(weight_after, after.samples, weight_before);
  return change(before, after, poisson(number(before.samples)).scaled(weight_before),
                poisson(number(after.samples)).scaled(weight_after));
}

}  // namespace perfsift::analysis
