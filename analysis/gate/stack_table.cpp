#include "analysis/gate/stack_table.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/path.h"

namespace perfsift::analysis {
namespace {

constexpr std::uint32_t no_number = ~std::uint32_t{0};

bool is_function(const FrameOrigin& origin) {
  return origin.kind != FrameKind::event && origin.kind != FrameKind::cgroup && origin.kind != FrameKind::thread;
}

GateFunction function_of(const FrameTable& frames, FrameId frame) {
  const FrameOrigin& origin = frames.origin(frame);
  // The file of code that a process generates is named after the process.
  const bool generated = origin.kind == FrameKind::jit;
  return {.name = frames.text(frame),
          .binary = generated ? "[generated code]" : base_name(frames.binary_of(frame)),
          .kind = origin.kind,
          .unnamed = origin.unnamed};
}

std::vector<bool> frames_of_stacks(const Profile& profile) {
  std::vector<bool> used(profile.frames().size());
  for (const StackList& list : profile.lists()) {
    for (const Callers& callers : list.callers()) {
      for (const FrameId frame : callers.frames) used[frame] = true;
    }
    for (const StackList::Entry& entry : list.entries()) used[entry.leaf] = true;
  }
  return used;
}

}  // namespace

// A tree of all stacks, in which equal stacks end at the same node.
struct GateStacks::Numbering {
  struct Node {
    std::uint32_t parent = 0;
    FunctionId function = no_number;
    std::uint32_t depth = 0;
    std::uint32_t stack = no_number;  // that ends here
  };
  struct Hash {
    std::size_t operator()(std::uint64_t key) const { return mix(key ^ odd_1, odd_2); }
  };

  explicit Numbering(const Profile& profile) : functions(number_functions(profile)) {}

  // Functions in the order of their names, whatever the order in which threads met their frames.
  std::vector<GateFunction> number_functions(const Profile& profile) {
    const FrameTable& frames = profile.frames();
    const std::vector<bool> used = frames_of_stacks(profile);
    std::map<std::tuple<std::string_view, std::string_view>, std::pair<GateFunction, std::vector<FrameId>>> by_name;
    for (FrameId frame = 0; frame < frames.size(); ++frame) {
      if (!used[frame] || !is_function(frames.origin(frame))) continue;
      const GateFunction function = function_of(frames, frame);
      auto& [first, all] = by_name[{function.name, function.binary}];
      if (all.empty()) first = function;
      all.push_back(frame);
    }
    numbers.assign(frames.size(), no_number);
    std::vector<GateFunction> numbered;
    for (const auto& [key, entry] : by_name) {
      for (const FrameId frame : entry.second) numbers[frame] = static_cast<FunctionId>(numbered.size());
      numbered.push_back(entry.first);
    }
    return numbered;
  }

  std::uint32_t child(std::uint32_t parent, FrameId frame) {
    const FunctionId function = numbers[frame];
    if (function == no_number) return parent;
    const auto [entry, is_new] = children.try_emplace(std::uint64_t{parent} << 32 | function, nodes.size());
    if (is_new) nodes.push_back({.parent = parent, .function = function, .depth = nodes[parent].depth + 1});
    return entry->second;
  }

  std::uint32_t node_of(const Callers& callers) {
    std::uint32_t node = 0;
    for (const FrameId frame : callers.frames) node = child(node, frame);
    return node;
  }

  std::vector<FunctionId> numbers;  // by frame
  std::vector<GateFunction> functions;
  std::vector<Node> nodes{Node{.stack = no_frames}};
  std::unordered_map<std::uint64_t, std::uint32_t, Hash> children;
};

GateStacks::GateStacks(const Profile& profile) : starts_{0, 0} {
  Numbering numbering(profile);
  std::vector<std::vector<std::uint32_t>> callers(profile.lists().size());  // nodes, by list and index
  for (std::size_t list = 0; list < callers.size(); ++list) {
    for (const Callers& each : profile.lists()[list].callers()) callers[list].push_back(numbering.node_of(each));
  }
  stacks_.reserve(profile.stack_count());
  for (const StackList& list : profile.lists()) {
    for (const StackList::Entry& entry : list.entries()) {
      const std::uint32_t node = numbering.child(callers[entry.callers.list][entry.callers.index], entry.leaf);
      std::uint32_t& stack = numbering.nodes[node].stack;
      if (stack == no_number) {
        stack = size();
        frames_.resize(frames_.size() + numbering.nodes[node].depth);
        starts_.push_back(frames_.size());
        std::size_t at = frames_.size();
        for (std::uint32_t up = node; up != 0; up = numbering.nodes[up].parent)
          frames_[--at] = numbering.nodes[up].function;
      }
      stacks_.push_back(stack);
    }
  }
  functions_ = std::move(numbering.functions);
}

}  // namespace perfsift::analysis
