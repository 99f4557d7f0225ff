#include "options/budget_options.h"

#include "options/number_option.h"

namespace perfsift::options {

void add_max_lost(analysis::QualityBudget& budget, po::options_description& options) {
  auto add = options.add_options();
  add("max-lost", percentage(budget.max_lost),
      "fail (exit status 1) if more samples or records than this were lost or unreadable");
  add("fail-empty", po::bool_switch(&budget.fail_empty), "fail if no sample is left to show");
}

void add_budget(analysis::QualityBudget& budget, po::options_description& options) {
  add_max_lost(budget, options);
  auto add = options.add_options();
  add("max-unresolved", percentage(budget.max_unresolved), "fail if more frames than this have no name");
  add("max-truncated", percentage(budget.max_truncated), "fail if more stacks than this were cut");
  add("max-incomplete", percentage(budget.max_incomplete),
      "fail if more stacks than this do not reach the start of the thread");
}

}  // namespace perfsift::options
