#include "analysis/gate/matching.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "analysis/gate/binary_pairs.h"
#include "analysis/gate/function_samples.h"

namespace perfsift::analysis {
namespace {

using Weights = std::map<FunctionId, double>;

// A function of fewer samples is not matched by its callers and callees, which would be a guess.
constexpr std::uint64_t enough_samples = 20;

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The end of a bracketed part that begins at `at`; npos: the bracket is not closed.
std::size_t end_of_brackets(std::string_view name, std::size_t at, char open, char close) {
  int depth = 0;
  for (std::size_t i = at; i < name.size(); ++i) {
    depth += name[i] == open ? 1 : name[i] == close ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

bool ends_with_operator(std::string_view name) {
  constexpr std::string_view word = "operator";
  while (!name.empty() && (name.back() == '<' || name.back() == '-')) name.remove_suffix(1);
  return name.ends_with(word) && (name.size() == word.size() || !is_word(name[name.size() - word.size() - 1]));
}

// Share of each function in the samples above (callers) or below (callees, itself for its own samples).
struct Neighbours {
  Weights callers, callees;
};

double length(const Weights& weights) {
  double squares = 0;
  for (const auto& [function, weight] : weights) squares += weight * weight;
  return std::sqrt(squares);
}

// The cosine of the angle between both: 1 for the same proportions, 0 for nothing in common.
double likeness(const Weights& a, const Weights& b) {
  double product = 0;
  for (const auto& [function, weight] : a) {
    if (const auto other = b.find(function); other != b.end()) product += weight * other->second;
  }
  const double lengths = length(a) * length(b);
  return lengths > 0 ? product / lengths : 0;
}

class Matcher {
 public:
  Matcher(const Replicates& replicates, FunctionNames names)
      : replicates_(replicates), matching_(no_matching(replicates.stacks())) {
    matching_.names = names;
    if (names == FunctionNames::common) join_common_names();
    count();
    pair_binaries();
  }

  Matching match() {
    using Key = std::tuple<std::string, std::string>;
    const auto name = [&](FunctionId f) { return std::string(function(f).name); };
    const auto plain = [&](FunctionId f) { return plain_name(function(f).name); };
    const auto binary = [&](FunctionId f) { return std::string(function(f).binary); };
    const auto family = [&](FunctionId f) { return family_of(f); };
    match_by(MatchedBy::binary, [&](FunctionId f) { return Key(name(f), family(f)); });
    match_by(MatchedBy::name, [&](FunctionId f) { return Key(plain(f), binary(f)); });
    match_by(MatchedBy::name, [&](FunctionId f) { return Key(plain(f), family(f)); });
    match_by(MatchedBy::binary, [&](FunctionId f) { return Key(name(f), std::string()); });
    follow_pairs();
    match_by_calls();
    follow_pairs();
    match_inlined();
    return std::move(matching_);
  }

 private:
  const GateFunction& function(FunctionId id) const { return replicates_.stacks().functions()[id]; }

  // Functions whose names are one are the first of them.
  void join_common_names() {
    std::map<std::pair<std::string, std::string_view>, FunctionId> first;
    for (FunctionId id = 0; id < matching_.same_as.size(); ++id) {
      if (function(id).unnamed) continue;
      const std::pair key(common_name(function(id).name), function(id).binary);
      matching_.same_as[id] = first.try_emplace(key, id).first->second;
    }
  }

  void count() {
    MatchedStacks stacks(replicates_, matching_);
    sums_ = function_sums(stacks);
    for (FunctionId id = 0; id < sums_.size(); ++id) {
      const Both<std::uint64_t>& total = sums_[id].total;
      if (function(id).unnamed || (total.before == 0) == (total.after == 0)) continue;
      (total.after == 0 ? gone_ : added_).push_back(id);
    }
  }

  // A program or a library that has another file name now has all its functions on one side only.
  void pair_binaries() {
    const BinaryPairs pairs(replicates_, sums_);
    for (const auto& [before, after] : pairs.pairs()) name_after_[before] = after;
  }

  // The name of a function's binary without versions, in the candidate.
  std::string family_of(FunctionId id) const {
    const auto paired = name_after_.find(function(id).binary);
    return plain_binary(paired != name_after_.end() ? paired->second : function(id).binary);
  }

  // Where a function is another one that is matched in its turn, it is the last one.
  void follow_pairs() {
    std::vector<FunctionId>& same = matching_.same_as;
    for (FunctionId id = 0; id < same.size(); ++id) {
      while (same[id] != same[same[id]]) same[id] = same[same[id]];
    }
  }

  void pair(FunctionId before, FunctionId after, MatchedBy by) {
    matching_.same_as[before] = after;
    matching_.renamed.push_back({.before = before, .after = after, .by = by});
    std::erase(gone_, before);
    std::erase(added_, after);
  }

  // Functions with the same key, if only one function of each side has the key.
  template <typename KeyOf>
  void match_by(MatchedBy by, KeyOf&& key_of) {
    std::map<decltype(key_of(FunctionId{0})), std::pair<std::vector<FunctionId>, std::vector<FunctionId>>> by_key;
    for (const FunctionId id : gone_) by_key[key_of(id)].first.push_back(id);
    for (const FunctionId id : added_) by_key[key_of(id)].second.push_back(id);
    for (const auto& [key, sides] : by_key) {
      if (sides.first.size() == 1 && sides.second.size() == 1) pair(sides.first.front(), sides.second.front(), by);
    }
  }

  double share_before(std::uint64_t samples) const {
    return static_cast<double>(samples) / static_cast<double>(std::max<std::uint64_t>(replicates_.samples().before, 1));
  }
  double share_after(std::uint64_t samples) const {
    return static_cast<double>(samples) / static_cast<double>(std::max<std::uint64_t>(replicates_.samples().after, 1));
  }

  // The most expensive ones: the comparison takes each with each.
  std::vector<FunctionId> candidates(std::vector<FunctionId> functions, bool before) const {
    constexpr std::size_t most = 200;
    const auto samples = [&](FunctionId id) { return before ? sums_[id].total.before : sums_[id].total.after; };
    std::erase_if(functions, [&](FunctionId id) { return samples(id) < enough_samples; });
    std::ranges::stable_sort(functions, std::ranges::greater{}, samples);
    functions.resize(std::min(functions.size(), most));
    return functions;
  }

  std::map<FunctionId, Neighbours> neighbours_of(const std::vector<FunctionId>& functions) const {
    std::map<FunctionId, Neighbours> all;
    std::vector<Neighbours*> wanted(sums_.size());
    for (const FunctionId id : functions) wanted[id] = &all[id];
    for (std::uint32_t stack = 0; stack < replicates_.stacks().size(); ++stack) {
      const std::span<const FunctionId> frames = replicates_.stacks().functions_of(stack);
      const auto samples = static_cast<double>(replicates_.samples(stack).before + replicates_.samples(stack).after);
      for (std::size_t i = 0; i < frames.size(); ++i) {
        if (wanted[frames[i]] == nullptr) continue;
        if (i != 0) wanted[frames[i]]->callers[matching_.same_as[frames[i - 1]]] += samples;
        const bool leaf = i + 1 == frames.size();
        wanted[frames[i]]->callees[leaf ? own_samples : matching_.same_as[frames[i + 1]]] += samples;
      }
    }
    return all;
  }

  void match_by_calls() {
    constexpr double alike = 0.9, most_ratio = 1.5;
    const std::vector<FunctionId> gone = candidates(gone_, true), added = candidates(added_, false);
    if (gone.empty() || added.empty()) return;
    const auto before = neighbours_of(gone), after = neighbours_of(added);
    std::vector<std::tuple<double, FunctionId, FunctionId>> pairs;  // the least alike first
    for (const FunctionId a : gone) {
      for (const FunctionId b : added) {
        if (family_of(a) != family_of(b)) continue;
        const double ratio = share_after(sums_[b].total.after) / share_before(sums_[a].total.before);
        if (ratio > most_ratio || ratio < 1 / most_ratio) continue;
        const double like = std::min(likeness(before.at(a).callers, after.at(b).callers),
                                     likeness(before.at(a).callees, after.at(b).callees));
        if (like >= alike) pairs.emplace_back(like - std::abs(std::log(ratio)), a, b);
      }
    }
    std::ranges::sort(pairs, std::ranges::greater{});
    for (const auto& [like, a, b] : pairs) {
      const bool free = std::ranges::find(gone_, a) != gone_.end() && std::ranges::find(added_, b) != added_.end();
      if (free) pair(a, b, MatchedBy::calls);
    }
  }

  // The function that nearly all calls come from.
  std::optional<FunctionId> only_caller(const Neighbours& neighbours) const {
    constexpr double nearly_all = 0.9;
    double sum = 0;
    for (const auto& [caller, samples] : neighbours.callers) sum += samples;
    for (const auto& [caller, samples] : neighbours.callers) {
      if (samples >= nearly_all * sum) return caller;
    }
    return std::nullopt;
  }

  // A function that vanished into its caller, or was taken out of it: together they cost what they cost before.
  void match_inlined() {
    for (const bool after : {true, false}) {
      const std::vector<FunctionId> alone = candidates(after ? gone_ : added_, after);
      for (const auto& [id, neighbours] : neighbours_of(alone)) {
        const std::optional<FunctionId> caller = only_caller(neighbours);
        if (!caller || *caller == id || !costs_moved(id, *caller, after)) continue;
        matching_.same_as[id] = matching_.same_as[*caller];
        matching_.inlined.push_back({.function = id, .caller = matching_.same_as[*caller], .after = after});
      }
      follow_pairs();
    }
  }

  // Whether the caller's own samples changed by about the samples of the function.
  bool costs_moved(FunctionId id, FunctionId caller, bool after) const {
    constexpr double deviations = 3, least_tolerance = 0.1;
    Both<double> own{own_share_before(caller), share_after(sums_[caller].self.after)};
    const double moved = after ? share_before(sums_[id].self.before) : share_after(sums_[id].self.after);
    const double with = after ? own.before + moved : own.before;
    const double without = after ? own.after : own.after + moved;
    const double fewest = static_cast<double>(std::min(replicates_.samples().before, replicates_.samples().after));
    const double tolerance =
        std::max(least_tolerance * moved, deviations * std::sqrt(2 * std::max(with, without) / fewest));
    const double kept = std::abs(without - with), alone = std::abs(own.after - own.before);
    return kept <= tolerance && kept < alone / 2;
  }

  // Of the caller under the name that it had.
  double own_share_before(FunctionId caller) const {
    std::uint64_t samples = sums_[caller].self.before;
    for (const MatchedPair& pair : matching_.renamed) {
      if (pair.after == caller) samples += sums_[pair.before].self.before;
    }
    return share_before(samples);
  }

  static constexpr FunctionId own_samples = ~FunctionId{0};

  const Replicates& replicates_;
  Matching matching_;
  std::vector<FunctionSums> sums_;
  std::vector<FunctionId> gone_, added_;
  std::map<std::string_view, std::string_view> name_after_;  // of binaries that have another name in the candidate
};

}  // namespace

Matching no_matching(const GateStacks& stacks) {
  Matching matching;
  matching.same_as.resize(stacks.functions().size());
  std::iota(matching.same_as.begin(), matching.same_as.end(), FunctionId{0});
  return matching;
}

Matching match_functions(const Replicates& replicates, FunctionNames names) {
  return Matcher(replicates, names).match();
}

std::string plain_name(std::string_view name) {
  const std::string common = common_name(name.substr(0, name.find('@')));
  name = common;
  std::string plain;
  for (std::size_t at = 0; at < name.size();) {
    const char c = name[at];
    const bool brackets = c == '<' || (c == '(' && !plain.empty() && !plain.ends_with("::"));
    const std::size_t end = brackets && !ends_with_operator(plain) ? end_of_brackets(name, at, c, c == '<' ? '>' : ')')
                                                                   : std::string_view::npos;
    if (end == std::string_view::npos || (plain.empty() && c == '<')) {
      plain += name[at++];
    } else {
      at = end;
    }
  }
  return plain;
}

std::string plain_binary(std::string_view binary) {
  const std::size_t library = binary.find(".so.");
  if (library != std::string_view::npos) return std::string(binary.substr(0, library + 3));
  std::size_t end = binary.size();
  while (end > 0 && ((binary[end - 1] >= '0' && binary[end - 1] <= '9') || binary[end - 1] == '.')) --end;
  const bool version = end > 1 && end < binary.size() && (binary[end - 1] == '-' || binary[end - 1] == '_');
  return std::string(version ? binary.substr(0, end - 1) : binary);
}

}  // namespace perfsift::analysis
