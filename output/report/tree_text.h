// Call trees as text, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/shown_tree.h"
#include "output/json.h"
#include "output/terminal_style.h"
#include "output/text_writer.h"

namespace perfsift::output {

// A tree of calls, and its shown part.
struct TreeView {
  std::string title;  // "callers of main"
  const analysis::FrameTable& frames;
  const analysis::CallTree& tree;
  std::vector<analysis::EventTree> events;
  analysis::TreeLimits limits;
  // Whether the tree goes from functions to their callers. Such a tree does not end in leaves, so no node has a self
  // amount.
  bool to_callers = false;
};

void write_tree_text(const TreeView& view, const TerminalStyle& style, TextWriter& out);
// A list of nodes for each event. Each node has the index of its parent in the list. Nodes are not nested objects,
// because stacks may be deeper than JSON readers accept.
Json tree_json(const TreeView& view);
// The views one after the other, with a header.
void write_tree_csv(const std::vector<TreeView>& views, TextWriter& out);

}  // namespace perfsift::output
