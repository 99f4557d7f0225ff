#include "options/budget_options.h"

#include <optional>

#include <fmt/format.h>

namespace perfsift::options {
namespace {

void add_limit(po::options_description& options, const char* name, std::optional<double>& limit, const char* text) {
  const auto set = [name, &limit](double value) {
    if (!(value >= 0 && value <= 100)) throw po::error(fmt::format("--{}: {}: not between 0 and 100", name, value));
    limit = value;
  };
  options.add_options()(name, po::value<double>()->value_name("PERCENT")->notifier(set), text);
}

}  // namespace

void add_max_lost(analysis::QualityBudget& budget, po::options_description& options) {
  add_limit(options, "max-lost", budget.max_lost,
            "fail (exit status 1) when more samples or more records than this were lost, or could not be read");
  options.add_options()("fail-empty", po::bool_switch(&budget.fail_empty), "fail when no sample is left to show");
}

void add_budget(analysis::QualityBudget& budget, po::options_description& options) {
  add_max_lost(budget, options);
  add_limit(options, "max-unresolved", budget.max_unresolved, "fail when more of the frames than this have no name");
  add_limit(options, "max-truncated", budget.max_truncated, "fail when more of the stacks than this were cut");
  add_limit(options, "max-incomplete", budget.max_incomplete,
            "fail when more of the stacks than this do not reach their thread's start");
}

}  // namespace perfsift::options
