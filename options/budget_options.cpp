#include "options/budget_options.h"

#include "options/number_option.h"

namespace perfsift::options {

void add_max_lost(analysis::QualityBudget& budget, po::options_description& options) {
  auto add = options.add_options();
  add("max-lost", percentage(budget.max_lost),
      "fail (exit status 1) when more samples or more records than this were lost, or could not be read");
  add("fail-empty", po::bool_switch(&budget.fail_empty), "fail when no sample is left to show");
}

void add_budget(analysis::QualityBudget& budget, po::options_description& options) {
  add_max_lost(budget, options);
  auto add = options.add_options();
  add("max-unresolved", percentage(budget.max_unresolved), "fail when more of the frames than this have no name");
  add("max-truncated", percentage(budget.max_truncated), "fail when more of the stacks than this were cut");
  add("max-incomplete", percentage(budget.max_incomplete),
      "fail when more of the stacks than this do not reach their thread's start");
}

}  // namespace perfsift::options
