// All versions of all address spaces, in one arena of tree nodes.
//
// A version is an AVL tree of mappings that do not overlap, ordered by their start. A change copies the nodes on its
// path and shares all other nodes with the version before, which stays unchanged. The change is an insertion where the
// range is free, otherwise two splits and a join. It costs O(log n) nodes and recurses no deeper than the tree is high,
// however many mappings it covers, and in any order of a hostile recording.
//
// Joining trees of unequal height: Blelloch, Ferizovic, Sun, "Just Join for Parallel Ordered Sets".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reader/timeline/timeline.h"

namespace perfsift::reader {

// Not thread-safe while it changes. Pointers are valid until the next change.
class MapsTree {
 public:
  static constexpr MapsVersion empty = 0;

  MapsTree();

  // Maps over existing mappings, as mmap(MAP_FIXED) does: parts outside the new range stay mapped.
  MapsVersion map(MapsVersion version, const Mapping& mapping);
  MapsVersion unmap(MapsVersion version, std::uint64_t start, std::uint64_t end);
  // Lookups that find no other mapping find the background: the kernel's own mapping, whose recorded bounds may cover
  // everything. A version has at most one.
  MapsVersion set_background(MapsVersion version, const Mapping& mapping);

  const Mapping* find(MapsVersion version, std::uint64_t address) const;
  // Without the background.
  const Mapping* below(MapsVersion version, std::uint64_t address) const;
  const Mapping* lowest(MapsVersion version) const;
  // The mappings in ascending order; the background appears as the pieces between the other mappings.
  std::vector<Mapping> list(MapsVersion version) const;

  std::size_t node_count() const { return nodes_.size(); }
  unsigned height(MapsVersion version) const { return nodes_[versions_[version].root].height; }

 private:
  using NodeId = std::uint32_t;  // 0: no node
  using MappingId = std::uint32_t;
  static constexpr MappingId no_mapping = ~MappingId{0};

  struct Node {
    std::uint64_t start = 0;  // a copy of the mapping's start, so that a search touches one cache line per level
    NodeId left = 0;
    NodeId right = 0;
    MappingId mapping = 0;
    std::uint32_t height = 0;
  };
  struct Version {
    NodeId root = 0;
    MappingId background = no_mapping;
  };
  struct Halves {
    NodeId below = 0;
    NodeId above = 0;
  };

  MapsVersion replace(MapsVersion version, std::uint64_t start, std::uint64_t end, const Mapping* mapping);
  MapsVersion add_version(Version version);
  MappingId add_mapping(const Mapping& mapping);

  NodeId new_node(const Mapping& mapping);
  NodeId owned(NodeId id);
  NodeId with_children(NodeId id, NodeId left, NodeId right);
  NodeId rotate_left(NodeId id);
  NodeId rotate_right(NodeId id);
  NodeId rebalance(NodeId id);
  NodeId join(NodeId left, NodeId middle, NodeId right);
  NodeId join(NodeId left, NodeId right);
  NodeId insert(NodeId id, NodeId added);
  Halves split(NodeId id, std::uint64_t start);
  Halves pop_first(NodeId id);
  NodeId cut_last(NodeId id, std::uint64_t end);

  const Mapping* last(NodeId id) const;
  const Mapping* last_from(NodeId id, std::uint64_t address) const;
  void collect(NodeId id, std::vector<Mapping>& out) const;

  std::vector<Node> nodes_;
  std::vector<Mapping> mappings_;
  std::vector<Version> versions_;
  NodeId first_owned_ = 0;  // nodes from here on belong to the current change
};

}  // namespace perfsift::reader
