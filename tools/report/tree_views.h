// --tree, --callers and --callees of perfsift report.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "analysis/report/focus.h"
#include "analysis/report/shown_tree.h"
#include "base/error.h"
#include "options/command_line.h"
#include "output/report/tree_text.h"

namespace perfsift::tools {

struct TreeOptions {
  bool tree = false;
  bool reversed = false;
  std::string callers;  // the function; empty: not wanted
  std::string callees;
  analysis::TreeLimits limits;

  void add_to(options::po::options_description& options);
  bool any() const { return tree || !callers.empty() || !callees.empty(); }
  // Throws UsageError if the options do not go together.
  void check() const;
};

// The error for a function that is not in the profile: what was asked for, why it fails, and a name that is similar.
UsageError no_such_function(const std::string& option, const std::string& function, const analysis::Profile& profile,
                            const std::string& why);

// The trees that the options ask for. The profile must live longer.
class TreeViews {
 public:
  // Throws UsageError if no stack has the function.
  TreeViews(const analysis::Profile& profile, const TreeOptions& options, unsigned threads);
  TreeViews(const TreeViews&) = delete;
  TreeViews& operator=(const TreeViews&) = delete;

  const std::vector<output::TreeView>& views() const { return views_; }

 private:
  void add_focus(const std::string& function, analysis::FocusSide side);
  void add(const std::string& title, const analysis::Profile& shown, bool reversed, bool to_callers);

  const analysis::Profile& profile_;
  const analysis::TreeLimits limits_;
  const unsigned threads_;
  std::deque<analysis::Profile> focused_;
  std::deque<analysis::CallTree> trees_;
  std::vector<output::TreeView> views_;
};

}  // namespace perfsift::tools
