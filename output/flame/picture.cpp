#include "output/flame/picture.h"

#include "base/error.h"

namespace perfsift::output {
namespace {

using analysis::Amount;
using analysis::CallTree;
using analysis::TreeAmounts;

constexpr const char* nothing_to_draw = "no samples: there is nothing to draw";

bool is_nothing(const Amount& amount) { return amount == Amount(); }

// Copies the nodes that have an amount.
class PictureBuilder {
 public:
  PictureBuilder(const FlameGraph& graph, Picture& picture)
      : tree_(graph.amounts->tree()), amounts_(*graph.amounts), difference_(graph.difference), picture_(picture) {}

  void build() {
    picture_.nodes.reserve(tree_.size());
    for (CallTree::Node node = CallTree::root; node < tree_.size();) {
      if (has_amount(node)) {
        add(node);
        ++node;
      } else {
        node = tree_.end(node);
      }
    }
  }

 private:
  bool has_amount(CallTree::Node node) const {
    return !is_nothing(amounts_.total(node)) ||
           (difference_ != nullptr && !is_nothing(difference_->before->total(node)));
  }

  void add(CallTree::Node node) {
    picture_.nodes.push_back({.frame = node == CallTree::root ? PictureNode::no_frame : tree_.frame(node),
                              .depth = tree_.depth(node),
                              .self = amounts_.self(node)});
    if (difference_ == nullptr) return;
    picture_.changes.push_back({.self_before = difference_->before->self(node), .colour = colour_of(node)});
  }

  std::uint8_t colour_of(CallTree::Node node) const {
    if (difference_->is_significant && !difference_->is_significant(node)) return DifferencePalette::insignificant;
    const Amount all = amounts_.total(CallTree::root);
    const double one_sample = all.samples == 0 ? 1 : static_cast<double>(all.value) / static_cast<double>(all.samples);
    const double before = static_cast<double>(difference_->before->total(node).value) * difference_->scale;
    const double after = static_cast<double>(amounts_.total(node).value);
    return static_cast<std::uint8_t>(DifferencePalette(one_sample, difference_->negated).class_of(before, after));
  }

  const CallTree& tree_;
  const TreeAmounts& amounts_;
  const FlameDifference* difference_;
  Picture& picture_;
};

// Sets where subtrees end: a node ends where the next one begins that is no deeper.
void find_ends(LargeVector<PictureNode>& nodes) {
  std::vector<std::uint32_t> path;
  const auto close = [&](std::uint32_t depth, std::size_t at) {
    for (; path.size() > depth; path.pop_back()) nodes[path.back()].end = static_cast<std::uint32_t>(at);
  };
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    close(nodes[node].depth, node);
    path.push_back(static_cast<std::uint32_t>(node));
  }
  close(0, nodes.size());
}

}  // namespace

double Picture::weight(std::size_t node) const {
  const auto after = static_cast<double>(nodes[node].self.value);
  if (!is_difference()) return after;
  return (after + static_cast<double>(changes[node].self_before.value) * scale_before) / 2;
}

Picture picture_of(const FlameGraph& graph, const FlameOptions& options) {
  Picture picture;
  picture.kind = graph.event_columns ? PictureKind::columns : PictureKind::graph;
  picture.frames = &graph.amounts->tree().profile().frames();
  if (graph.difference != nullptr) {
    picture.scale_before = graph.difference->scale;
    picture.of_shares = graph.difference->of_shares;
    picture.negated = graph.difference->negated;
  }
  PictureBuilder(graph, picture).build();
  if (picture.nodes.empty()) throw Error(nothing_to_draw);
  find_ends(picture.nodes);
  const std::uint64_t sum = graph.amounts->total(CallTree::root).value;
  // The amount that is missing to the total belongs to the root.
  if (options.total > sum) picture.nodes[0].self.value += options.total - sum;
  return picture;
}

Picture picture_of(const analysis::StackTimeline& timeline, const analysis::FrameTable& frames) {
  if (timeline.nodes.size() < 2) throw Error(nothing_to_draw);
  Picture picture;
  picture.kind = timeline.has_lanes ? PictureKind::lanes : PictureKind::graph;
  picture.frames = &frames;
  picture.nodes.reserve(timeline.nodes.size());
  for (const analysis::StackTimeline::Node& node : timeline.nodes) {
    const bool none = node.frame == analysis::StackTimeline::no_frame;
    picture.nodes.push_back(
        {.frame = none ? PictureNode::no_frame : node.frame, .depth = node.depth, .self = node.self});
  }
  find_ends(picture.nodes);
  return picture;
}

}  // namespace perfsift::output
