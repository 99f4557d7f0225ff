#include "tools/report/tree_views.h"

#include "base/error.h"
#include "base/printable.h"
#include "options/number_option.h"

namespace perfsift::tools {

void TreeOptions::add_to(options::po::options_description& options) {
  auto add = options.add_options();
  add("tree", options::po::bool_switch(&tree), "show the calls as a tree, from the threads to the leaves");
  add("reversed", options::po::bool_switch(&reversed), "with --tree: from the leaves to their callers");
  add("callers", options::po::value(&callers)->value_name("FUNCTION"), "show who calls the function, as a tree");
  add("callees", options::po::value(&callees)->value_name("FUNCTION"), "show what the function calls, as a tree");
  add("min-percent", options::percentage(limits.min_percent), "leave out nodes of trees with a smaller share (0.5)");
  add("depth", options::whole_number(limits.depth), "show N levels of trees; 0: all (0)");
}

void TreeOptions::check() const {
  if (tree && (!callers.empty() || !callees.empty())) {
    throw UsageError("--tree shows whole stacks, --callers and --callees show one function: choose one");
  }
  if (reversed && !tree) throw UsageError("--reversed needs --tree");
  if (!any() && limits != analysis::TreeLimits()) {
    throw UsageError("--depth and --min-percent are for trees: add --tree, --callers or --callees");
  }
}

UsageError no_such_function(const std::string& option, const std::string& function, const analysis::Profile& profile,
                            const std::string& why) {
  const std::string similar = analysis::most_similar_function(profile, function);
  return UsageError(printable(option + " " + function + ": " + why +
                              (similar.empty() || similar == function ? "" : "; did you mean '" + similar + "'?")));
}

TreeViews::TreeViews(const analysis::Profile& profile, const TreeOptions& options, unsigned threads)
    : profile_(profile), limits_(options.limits), threads_(threads) {
  if (options.tree) add(options.reversed ? "callers of leaves" : "calls", profile, options.reversed, options.reversed);
  if (!options.callers.empty()) add_focus(options.callers, analysis::FocusSide::callers);
  if (!options.callees.empty()) add_focus(options.callees, analysis::FocusSide::callees);
}

void TreeViews::add_focus(const std::string& function, analysis::FocusSide side) {
  const bool callers = side == analysis::FocusSide::callers;
  analysis::Profile& focused = focused_.emplace_back();
  if (!analysis::focus(profile_, function, side, focused)) {
    throw no_such_function(callers ? "--callers" : "--callees", function, profile_, "no stack has this function");
  }
  add((callers ? "callers of " : "callees of ") + function, focused, false, callers);
}

void TreeViews::add(const std::string& title, const analysis::Profile& shown, bool reversed, bool to_callers) {
  const analysis::CallTree& tree =
      trees_.emplace_back(shown, analysis::TreeShape{.reversed = reversed, .by_function = true}, threads_);
  views_.push_back({.title = title,
                    .frames = shown.frames(),
                    .tree = tree,
                    .events = analysis::shown_trees(analysis::TreeAmounts(tree), profile_, limits_),
                    .limits = limits_,
                    .to_callers = to_callers});
}

}  // namespace perfsift::tools
