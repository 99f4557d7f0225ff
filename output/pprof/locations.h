// The locations, functions and mappings of a pprof profile, made from the nodes of a call tree.
//
// A location is an address with the calls that were inlined there, so several nodes of the tree make one location. The
// numbers of locations follow the order of the tree, which does not depend on threads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "base/large_vector.h"
#include "output/pprof/string_table.h"

namespace perfsift::output {

// Immutable once made. The tree must live longer.
class Locations {
 public:
  // `main_binary`: the path of the binary of the first mapping. Empty: not known.
  Locations(const analysis::CallTree& tree, std::string_view main_binary);

  // The location of a node other than the root.
  std::uint32_t location(analysis::CallTree::Node node) const { return nodes_[node].location; }
  // The node of the next outer location. The root if there is none.
  analysis::CallTree::Node next(analysis::CallTree::Node node) const { return nodes_[node].next; }
  // The messages of all mappings, locations and functions, as fields of a pprof Profile.
  std::string encode(StringTable& strings) const;

 private:
  using Node = analysis::CallTree::Node;
  static constexpr std::uint64_t none = 0;  // no message has the id 0

  struct NodeData {
    std::uint32_t location = 0;
    Node next = analysis::CallTree::root;
  };
  struct Location {
    std::vector<analysis::FrameId> frames;  // outermost first
    std::uint64_t mapping = none;
  };
  struct Function {
    std::string_view name;
    std::string_view file;
    auto operator<=>(const Function&) const = default;
  };
  // The frames of a binary. Addresses are offsets in the binary here. pprof needs addresses in memory, which differ
  // between processes, so each binary gets an address range of its own.
  struct Mapping {
    std::string path;
    std::string build_id;
    std::uint64_t first = ~std::uint64_t{0}, last = 0;  // offsets
    std::uint64_t start = 0, limit = 0, offset = 0;
    bool functions = false, files = false, lines = false, inlines = false;
  };

  void add_node(Node node);
  std::uint32_t location_of(std::uint32_t outer, analysis::FrameId frame);
  std::uint64_t mapping_of(analysis::FrameId frame);
  std::uint64_t new_mapping(std::string path, std::string build_id);
  void note_in_mapping(analysis::FrameId frame, std::uint64_t mapping);
  void place_mappings();
  bool is_inlined_into_parent(Node node) const;
  std::uint64_t address_of(const Location& location) const;

  std::string encode_mapping(std::uint64_t id, StringTable& strings) const;
  std::string encode_location(std::uint64_t id, std::map<Function, std::uint64_t>& functions) const;

  const analysis::CallTree& tree_;
  const analysis::FrameTable& frames_;
  UnsetVector<NodeData> nodes_;
  std::vector<bool> inlined_;            // by frame
  std::vector<Location> locations_{1};   // by id
  std::vector<std::uint32_t> of_frame_;  // locations without inlined calls, by frame; 0: none yet
  std::unordered_map<std::uint64_t, std::uint32_t> of_inlined_;  // by outer location and frame
  std::vector<Mapping> mappings_{1};                             // by id
  std::vector<std::uint64_t> of_binary_;                         // mappings, by the binary's number
  std::optional<std::uint64_t> lost_;                            // the mapping of losses
};

}  // namespace perfsift::output
