// Call trees as text, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/shown_tree.h"
#include "output/json.h"
#include "output/terminal_style.h"
#include "output/text_writer.h"

namespace perfsift::output {

// A tree of calls, and the part of it that is shown.
struct TreeView {
  std::string title;  // "callers of main"
  const analysis::FrameTable& frames;
  const analysis::CallTree& tree;
  std::vector<analysis::EventTree> events;
  analysis::TreeLimits limits;
  // Whether the tree goes from functions to their callers. Where a stack ends there is no leaf, so nothing is self.
  bool to_callers = false;
};

void write_tree_text(const TreeView& view, const TerminalStyle& style, TextWriter& out);
// For each event a list of nodes, each with the index of its parent in the list. No object inside another for each
// call: stacks may be deeper than what readers of JSON take.
Json tree_json(const TreeView& view);
// The views one after the other, with a header.
void write_tree_csv(const std::vector<TreeView>& views, TextWriter& out);

}  // namespace perfsift::output
