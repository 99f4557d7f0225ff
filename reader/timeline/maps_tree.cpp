#include "reader/timeline/maps_tree.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace perfsift::reader {
namespace {

// Ids have 32 bits to keep nodes small. Running out of ids takes 100 GB of nodes.
template <typename T>
std::uint32_t append(std::vector<T>& to, const T& value) {
  if (to.size() >= std::numeric_limits<std::uint32_t>::max()) throw std::length_error("too many mappings");
  to.push_back(value);
  return static_cast<std::uint32_t>(to.size() - 1);
}

bool contains(const Mapping& mapping, std::uint64_t address) {
  return mapping.start <= address && address < mapping.end;
}

// The rest of a mapping from `start` on, as in maps__fixup_overlappings() of perf.
Mapping tail(Mapping mapping, std::uint64_t start) {
  mapping.page_offset += start - mapping.start;
  mapping.start = start;
  return mapping;
}

Mapping head(Mapping mapping, std::uint64_t end) {
  mapping.end = end;
  return mapping;
}

std::vector<Mapping> fill_gaps(const std::vector<Mapping>& mappings, const Mapping& background) {
  std::vector<Mapping> out;
  std::uint64_t at = background.start;
  for (const Mapping& mapping : mappings) {
    const std::uint64_t gap_end = std::min(mapping.start, background.end);
    if (at < gap_end) out.push_back(head(tail(background, at), gap_end));
    out.push_back(mapping);
    at = std::max(at, mapping.end);
  }
  if (at < background.end) out.push_back(tail(background, at));
  return out;
}

}  // namespace

MapsTree::MapsTree() : nodes_(1), versions_(1) {}

MapsVersion MapsTree::map(MapsVersion version, const Mapping& mapping) {
  if (mapping.start >= mapping.end) return version;
  const Mapping* present = find(version, mapping.start);
  if (present != nullptr && *present == mapping) return version;

  const Version& from = versions_[version];
  const Mapping* last_below_end = last_from(from.root, mapping.end - 1);
  if (last_below_end == nullptr || last_below_end->end <= mapping.start) {
    first_owned_ = static_cast<NodeId>(nodes_.size());
    return add_version({insert(from.root, new_node(mapping)), from.background});
  }
  return replace(version, mapping.start, mapping.end, &mapping);
}

MapsVersion MapsTree::unmap(MapsVersion version, std::uint64_t start, std::uint64_t end) {
  return start < end ? replace(version, start, end, nullptr) : version;
}

MapsVersion MapsTree::set_background(MapsVersion version, const Mapping& mapping) {
  return add_version({versions_[version].root, add_mapping(mapping)});
}

const Mapping* MapsTree::find(MapsVersion version, std::uint64_t address) const {
  const Version& wanted = versions_[version];
  const Mapping* mapping = last_from(wanted.root, address);
  if (mapping != nullptr && address < mapping->end) return mapping;
  if (wanted.background == no_mapping) return nullptr;
  const Mapping& background = mappings_[wanted.background];
  return contains(background, address) ? &background : nullptr;
}

const Mapping* MapsTree::below(MapsVersion version, std::uint64_t address) const {
  return address != 0 ? last_from(versions_[version].root, address - 1) : nullptr;
}

const Mapping* MapsTree::lowest(MapsVersion version) const {
  NodeId id = versions_[version].root;
  while (id != 0 && nodes_[id].left != 0) id = nodes_[id].left;
  return id != 0 ? &mappings_[nodes_[id].mapping] : nullptr;
}

std::vector<Mapping> MapsTree::list(MapsVersion version) const {
  std::vector<Mapping> out;
  collect(versions_[version].root, out);
  const MappingId background = versions_[version].background;
  return background == no_mapping ? out : fill_gaps(out, mappings_[background]);
}

MapsVersion MapsTree::replace(MapsVersion version, std::uint64_t start, std::uint64_t end, const Mapping* mapping) {
  first_owned_ = static_cast<NodeId>(nodes_.size());
  auto [below, rest] = split(versions_[version].root, start);
  auto [covered, above] = split(rest, end);

  // Mappings do not overlap. So only the last mapping that starts before `start` can reach into the range, and only the
  // last mapping that starts before `end` can reach out of the range.
  const Mapping* before = last(below);
  const Mapping* reaching_out = covered != 0 ? last(covered) : before;
  std::optional<Mapping> after;
  if (reaching_out != nullptr && reaching_out->end > end) after = tail(*reaching_out, end);
  if (before != nullptr && before->end > start) below = cut_last(below, start);
  if (after) above = join(0, new_node(*after), above);

  const NodeId root = mapping != nullptr ? join(below, new_node(*mapping), above) : join(below, above);
  return add_version({root, versions_[version].background});
}

MapsVersion MapsTree::add_version(Version version) {
  if (version.root == 0 && version.background == no_mapping) return empty;
  return append(versions_, version);
}

MapsTree::MappingId MapsTree::add_mapping(const Mapping& mapping) { return append(mappings_, mapping); }

MapsTree::NodeId MapsTree::new_node(const Mapping& mapping) {
  return append(nodes_, Node{.start = mapping.start, .mapping = add_mapping(mapping), .height = 1});
}

// The node itself if the current change made it, because then nothing else refers to it; otherwise a copy.
MapsTree::NodeId MapsTree::owned(NodeId id) { return id >= first_owned_ ? id : append(nodes_, Node(nodes_[id])); }

MapsTree::NodeId MapsTree::with_children(NodeId id, NodeId left, NodeId right) {
  id = owned(id);
  Node& node = nodes_[id];
  node.left = left;
  node.right = right;
  node.height = 1 + std::max(nodes_[left].height, nodes_[right].height);
  return id;
}

MapsTree::NodeId MapsTree::rotate_left(NodeId id) {
  const Node node = nodes_[id];
  const Node right = nodes_[node.right];
  return with_children(node.right, with_children(id, node.left, right.left), right.right);
}

MapsTree::NodeId MapsTree::rotate_right(NodeId id) {
  const Node node = nodes_[id];
  const Node left = nodes_[node.left];
  return with_children(node.left, left.left, with_children(id, left.right, node.right));
}

// Joins balanced children whose heights differ by two: the AVL rotations.
MapsTree::NodeId MapsTree::rebalance(NodeId id) {
  const Node node = nodes_[id];
  const Node& left = nodes_[node.left];
  const Node& right = nodes_[node.right];
  if (left.height > right.height + 1) {
    if (nodes_[left.left].height < nodes_[left.right].height)
      id = with_children(id, rotate_left(node.left), node.right);
    return rotate_right(id);
  }
  if (right.height > left.height + 1) {
    if (nodes_[right.right].height < nodes_[right.left].height)
      id = with_children(id, node.left, rotate_right(node.right));
    return rotate_left(id);
  }
  return id;
}

// Goes down the inner edge of the higher tree until the heights fit.
MapsTree::NodeId MapsTree::join(NodeId left, NodeId middle, NodeId right) {
  const Node left_node = nodes_[left];
  const Node right_node = nodes_[right];
  if (left_node.height > right_node.height + 1)
    return rebalance(with_children(left, left_node.left, join(left_node.right, middle, right)));
  if (right_node.height > left_node.height + 1)
    return rebalance(with_children(right, join(left, middle, right_node.left), right_node.right));
  return with_children(middle, left, right);
}

MapsTree::NodeId MapsTree::join(NodeId left, NodeId right) {
  if (right == 0) return left;
  const auto [first, rest] = pop_first(right);
  return join(left, first, rest);
}

MapsTree::NodeId MapsTree::insert(NodeId id, NodeId added) {
  if (id == 0) return added;
  const Node node = nodes_[id];
  const bool goes_left = nodes_[added].start < node.start;
  const NodeId left = goes_left ? insert(node.left, added) : node.left;
  const NodeId right = goes_left ? node.right : insert(node.right, added);
  return rebalance(with_children(id, left, right));
}

// Splits into the mappings that start below `start` and those that start at or above `start`.
MapsTree::Halves MapsTree::split(NodeId id, std::uint64_t start) {
  if (id == 0) return {};
  const Node node = nodes_[id];
  if (node.start < start) {
    const Halves right = split(node.right, start);
    return {join(node.left, id, right.below), right.above};
  }
  const Halves left = split(node.left, start);
  return {left.below, join(left.above, id, node.right)};
}

// Splits into `below`, the first node alone, and `above`, all other nodes.
MapsTree::Halves MapsTree::pop_first(NodeId id) {
  const Node node = nodes_[id];
  if (node.left == 0) return {id, node.right};
  const Halves left = pop_first(node.left);
  return {left.below, join(left.above, id, node.right)};
}

MapsTree::NodeId MapsTree::cut_last(NodeId id, std::uint64_t end) {
  const Node node = nodes_[id];
  if (node.right != 0) return with_children(id, node.left, cut_last(node.right, end));
  id = owned(id);
  nodes_[id].mapping = add_mapping(head(mappings_[node.mapping], end));
  return id;
}

const Mapping* MapsTree::last(NodeId id) const {
  if (id == 0) return nullptr;
  while (nodes_[id].right != 0) id = nodes_[id].right;
  return &mappings_[nodes_[id].mapping];
}

// The last mapping that starts at or below `address`.
const Mapping* MapsTree::last_from(NodeId id, std::uint64_t address) const {
  NodeId candidate = 0;
  while (id != 0) {
    const Node& node = nodes_[id];
    if (node.start <= address) candidate = id;
    id = node.start <= address ? node.right : node.left;
  }
  return candidate != 0 ? &mappings_[nodes_[candidate].mapping] : nullptr;
}

void MapsTree::collect(NodeId id, std::vector<Mapping>& out) const {
  if (id == 0) return;
  collect(nodes_[id].left, out);
  out.push_back(mappings_[nodes_[id].mapping]);
  collect(nodes_[id].right, out);
}

}  // namespace perfsift::reader
