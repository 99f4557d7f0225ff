#include "tools/check/rule_options.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/gate/reasons.h"
#include "base/error.h"
#include "base/printable.h"
#include "options/number_option.h"

namespace perfsift::tools {
namespace {

bool is_first(const char* option, const std::string& value, std::string_view first, std::string_view second) {
  if (value != first && value != second)
    throw UsageError(printable(fmt::format("--{} {}: there are {} and {}", option, value, first, second)));
  return value == first;
}

void allow(const std::string& list, std::set<std::string, std::less<>>& allowed) {
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const auto known = analysis::tolerable_reasons();
    if (std::ranges::find(known, word) == known.end())
      throw UsageError(printable(fmt::format("--allow {}: there are {}", word, fmt::join(known, ", "))));
    allowed.insert(word);
  }
}

}  // namespace

void RuleOptions::add_to(options::po::options_description& description) {
  namespace po = options::po;
  const auto keep = [this](const char* name) {
    return [this, option = std::string("--") + name](const auto& value) {
      given_.insert(given_.end(), {option, fmt::format("{}", value)});
    };
  };
  const auto keep_lists = [this](const std::vector<std::string>& lists) {
    for (const std::string& list : lists) given_.insert(given_.end(), {"--allow", list});
  };
  auto add = description.add_options();
  add("level", options::percentage(level_, {.least = 1e-6, .most = 50})->notifier(keep("level")),
      "accepted share of false alarms, in comparisons without a change (5%)");
  add("min-effect", options::percentage(min_effect_)->notifier(keep("min-effect")),
      "smallest change that matters, in percent of the baseline's total cost (1%)");
  add("min-ratio", options::percentage(min_ratio_, {.least = 0, .most = 1e6})->notifier(keep("min-ratio")),
      "smallest change that matters, in percent of the function's own cost (0%)");
  add("min-samples", options::whole_number(rules_.min_samples)->notifier(keep("min-samples")),
      "functions with fewer samples on both sides together are not tested (20)");
  const auto keep_switch = [this](bool given) {
    if (given) given_.emplace_back("--exact-names");
  };
  add("exact-names", po::bool_switch(&rules_.exact_names)->notifier(keep_switch),
      "treat f, f.cold, f.isra.0 and the like as different functions");
  add("per", po::value(&per_)->value_name("share|run")->notifier(keep("per")),
      "compare shares of the total cost, or costs of runs that do the same work (share)");
  add("interrupts", po::value(&interrupts_)->value_name("keep|drop")->notifier(keep("interrupts")),
      "compare samples in interrupts, too, or leave them out (drop)");
  add("undecided", po::value(&undecided_)->value_name("pass|fail")->notifier(keep("undecided")),
      "verdict for functions with too few samples (pass)");
  add("allow", po::value(&allow_)->value_name("LIST")->composing()->notifier(keep_lists),
      "judge in spite of these reasons: lost, throttled, damaged, cut, unnamed, machine, cpu, host, kernel, frequency, "
      "spread, history, build, few, stacks");
}

void RuleOptions::prepare() {
  rules_.level = level_ / 100;
  rules_.min_effect = min_effect_ / 100;
  rules_.min_ratio = min_ratio_ / 100;
  rules_.per_run = is_first("per", per_, "run", "share");
  rules_.with_interrupts = is_first("interrupts", interrupts_, "keep", "drop");
  rules_.undecided_fails = is_first("undecided", undecided_, "fail", "pass");
  for (const std::string& list : allow_) allow(list, allowed_);
}

}  // namespace perfsift::tools
