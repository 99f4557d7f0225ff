#include "analysis/report/shown_tree.h"

#include <algorithm>
#include <map>

#include "analysis/report/event_amounts.h"
#include "analysis/report/report.h"

namespace perfsift::analysis {
namespace {

class Selector {
 public:
  Selector(const TreeAmounts& amounts, CallTree::Node top, const Amount& all, const TreeLimits& limits)
      : amounts_(amounts), tree_(amounts.tree()), top_depth_(tree_.depth(top)), all_(all), limits_(limits) {}

  void fill(CallTree::Node top, EventTree& tree) {
    TreeLine event;
    push_children(top, TreeLine::no_parent, event);
    tree.left_out = event.left_out;
    tree.of_left_out = event.of_left_out;
    while (!open_.empty()) {
      TreeLine line = open_.back();
      open_.pop_back();
      push_children(line.node, static_cast<std::uint32_t>(lines_.size()), line);
      lines_.push_back(line);
    }
    tree.lines = std::move(lines_);
  }

 private:
  bool is_shown(CallTree::Node node, const Amount& total) const {
    const bool too_deep = limits_.depth != 0 && tree_.depth(node) - top_depth_ > limits_.depth;
    return !too_deep && percent_of(total, all_) >= limits_.min_percent;
  }

  // Puts the shown children of `node` on the stack of open lines, the largest on top.
  void push_children(CallTree::Node node, std::uint32_t index, TreeLine& line) {
    std::vector<TreeLine> children;
    for (CallTree::Node child = node + 1; child < tree_.end(node); child = tree_.end(child)) {
      const Amount total = amounts_.total(child);
      if (is_shown(child, total)) {
        children.push_back({.node = child,
                            .parent = index,
                            .depth = tree_.depth(child) - top_depth_,
                            .self = amounts_.self(child),
                            .total = total,
                            .of_left_out = {}});
      } else {
        ++line.left_out;
        line.of_left_out += total;
      }
    }
    line.shown = static_cast<std::uint32_t>(children.size());
    std::ranges::stable_sort(children, std::ranges::greater{}, [](const TreeLine& child) { return child.total.value; });
    if (!children.empty()) children.back().last = line.left_out == 0;
    open_.insert(open_.end(), children.rbegin(), children.rend());
  }

  const TreeAmounts& amounts_;
  const CallTree& tree_;
  const std::uint32_t top_depth_;
  const Amount& all_;
  const TreeLimits& limits_;
  std::vector<TreeLine> open_;
  std::vector<TreeLine> lines_;
};

}  // namespace

std::vector<EventTree> shown_trees(const TreeAmounts& amounts, const Profile& whole, const TreeLimits& limits) {
  const std::vector<Amount> events = event_amounts(whole);
  std::map<std::string_view, Amount> by_name;
  for (EventId event = 0; event < events.size(); ++event) {
    by_name[whole.frames().text(whole.event_frame(event))] = events[event];
  }
  const CallTree& tree = amounts.tree();
  std::vector<EventTree> trees;
  for (CallTree::Node top = 1; top < tree.size(); top = tree.end(top)) {
    const std::string_view name = tree.profile().frames().text(tree.frame(top));
    EventTree& of_event =
        trees.emplace_back(EventTree{.event = name, .all = by_name[name], .lines = {}, .of_left_out = {}});
    Selector(amounts, top, of_event.all, limits).fill(top, of_event);
  }
  return trees;
}

}  // namespace perfsift::analysis
