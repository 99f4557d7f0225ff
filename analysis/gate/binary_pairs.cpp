#include "analysis/gate/binary_pairs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "analysis/gate/matching.h"

namespace perfsift::analysis {
namespace {

// What is known about a binary of one side.
struct BinarySamples {
  std::map<std::string, std::uint64_t> totals;  // by the plain name of the function
  std::uint64_t self = 0;
};
using Binaries = std::map<std::string_view, BinarySamples>;

class Pairing {
 public:
  Pairing(const Replicates& replicates, const std::vector<FunctionSums>& sums) : all_(replicates.samples()) {
    for (FunctionId id = 0; id < sums.size(); ++id) {
      const GateFunction& function = replicates.stacks().functions()[id];
      if (function.kind == FrameKind::kernel || function.binary.empty() || function.binary == generated_code) continue;
      add(function, sums[id].self.before, sums[id].total.before, gone_);
      add(function, sums[id].self.after, sums[id].total.after, added_);
    }
    remove_common();
  }

  std::vector<BinaryPairs::Pair> pair() {
    pair_versions();
    pair_by_functions();
    pair_the_last();
    return std::move(pairs_);
  }

 private:
  static void add(const GateFunction& function, std::uint64_t self, std::uint64_t total, Binaries& binaries) {
    if (total == 0) return;
    BinarySamples& binary = binaries[function.binary];
    binary.self += self;
    if (!function.unnamed) binary.totals[plain_name(function.name)] += total;
  }

  void remove_common() {
    for (auto binary = gone_.begin(); binary != gone_.end();) {
      binary = added_.erase(binary->first) != 0 ? gone_.erase(binary) : std::next(binary);
    }
  }

  void take(std::string_view before, std::string_view after) {
    pairs_.emplace_back(before, after);
    gone_.erase(before);
    added_.erase(after);
  }

  // If only one binary of each side has the name.
  void pair_versions() {
    std::map<std::string, std::pair<std::vector<std::string_view>, std::vector<std::string_view>>> families;
    for (const auto& [name, samples] : gone_) families[plain_binary(name)].first.push_back(name);
    for (const auto& [name, samples] : added_) families[plain_binary(name)].second.push_back(name);
    for (const auto& [family, sides] : families) {
      if (sides.first.size() == 1 && sides.second.size() == 1) take(sides.first.front(), sides.second.front());
    }
  }

  double share_before(std::uint64_t samples) const {
    return static_cast<double>(samples) / static_cast<double>(std::max<std::uint64_t>(all_.before, 1));
  }
  double share_after(std::uint64_t samples) const {
    return static_cast<double>(samples) / static_cast<double>(std::max<std::uint64_t>(all_.after, 1));
  }

  // How much of the samples of both is in functions with the same names: 0 to 1.
  double likeness(const BinarySamples& before, const BinarySamples& after) const {
    double common = 0, both = 0;
    for (const auto& [name, samples] : before.totals) {
      const auto other = after.totals.find(name);
      const double there = other != after.totals.end() ? share_after(other->second) : 0;
      common += std::min(share_before(samples), there);
      both += std::max(share_before(samples), there);
    }
    for (const auto& [name, samples] : after.totals) {
      if (!before.totals.contains(name)) both += share_after(samples);
    }
    return both > 0 ? common / both : 0;
  }

  // The names of those with the most samples: the comparison takes each with each.
  static std::vector<std::string_view> largest(const Binaries& binaries) {
    constexpr std::size_t most = 50;
    std::vector<std::string_view> names;
    for (const auto& [name, samples] : binaries) names.push_back(name);
    std::ranges::stable_sort(names, std::ranges::greater{},
                             [&](std::string_view name) { return binaries.at(name).self; });
    names.resize(std::min(names.size(), most));
    return names;
  }

  void pair_by_functions() {
    constexpr double enough = 0.2;
    std::vector<std::tuple<double, std::string_view, std::string_view>> alike;
    for (const std::string_view before : largest(gone_)) {
      for (const std::string_view after : largest(added_)) {
        const double like = likeness(gone_.at(before), added_.at(after));
        if (like >= enough) alike.emplace_back(like, before, after);
      }
    }
    std::ranges::sort(alike, std::ranges::greater{});
    for (const auto& [like, before, after] : alike) {
      if (gone_.contains(before) && added_.contains(after)) take(before, after);
    }
  }

  void pair_the_last() {
    constexpr double most_ratio = 1.5;
    if (gone_.size() != 1 || added_.size() != 1) return;
    const double before = share_before(gone_.begin()->second.self), after = share_after(added_.begin()->second.self);
    if (before <= most_ratio * after && after <= most_ratio * before) take(gone_.begin()->first, added_.begin()->first);
  }

  const Both<std::uint64_t>& all_;
  Binaries gone_, added_;
  std::vector<BinaryPairs::Pair> pairs_;
};

}  // namespace

BinaryPairs::BinaryPairs(const Replicates& replicates, const std::vector<FunctionSums>& sums)
    : pairs_(Pairing(replicates, sums).pair()) {}

}  // namespace perfsift::analysis
