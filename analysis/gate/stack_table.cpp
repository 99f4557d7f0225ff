#include "analysis/gate/stack_table.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/profile/call_tree.h"
#include "analysis/profile/common_names.h"
#include "analysis/profile/ranked_frames.h"
#include "filter/kernel_context.h"

namespace perfsift::analysis {
namespace {

bool is_function(const FrameOrigin& origin) {
  return origin.kind != FrameKind::event && origin.kind != FrameKind::cgroup && origin.kind != FrameKind::thread;
}

GateFunction function_of(const FrameTable& frames, FrameId frame) {
  const FrameOrigin& origin = frames.origin(frame);
  return {.name = name_in_any_process(frames, frame),
          .binary = binary_name_of(frames, frame, FunctionNames::processes),
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

// The functions of a profile, and the number of each frame among them.
struct Numbering {
  std::vector<GateFunction> functions;
  // By frame. Frames of stacks that are no functions have numbers behind those of functions.
  std::vector<FunctionId> numbers;
  bool only_functions = true;  // all frames of stacks are functions

  bool is_function(FrameId frame) const { return numbers[frame] < functions.size(); }
};

// Functions in the order of their names, whatever the order in which threads met their frames.
Numbering number_functions(const Profile& profile) {
  const FrameTable& frames = profile.frames();
  const std::vector<bool> used = frames_of_stacks(profile);
  std::map<std::tuple<std::string_view, std::string_view>, std::pair<GateFunction, std::vector<FrameId>>> by_name;
  std::vector<FrameId> others;
  for (FrameId frame = 0; frame < frames.size(); ++frame) {
    if (!used[frame]) continue;
    if (!is_function(frames.origin(frame))) {
      others.push_back(frame);
      continue;
    }
    const GateFunction function = function_of(frames, frame);
    auto& [first, all] = by_name[{function.name, function.binary}];
    if (all.empty() || std::pair(function.kind, function.unnamed) < std::pair(first.kind, first.unnamed))
      first = function;
    all.push_back(frame);
  }
  Numbering numbering{
      .functions = {}, .numbers = std::vector(frames.size(), RankedFrames::unused), .only_functions = others.empty()};
  for (const auto& [key, entry] : by_name) {
    for (const FrameId frame : entry.second)
      numbering.numbers[frame] = static_cast<FunctionId>(numbering.functions.size());
    numbering.functions.push_back(entry.first);
  }
  auto next = static_cast<FunctionId>(numbering.functions.size());
  for (const FrameId frame : others) numbering.numbers[frame] = next++;
  return numbering;
}

// By node: the node at which the stack of the same functions ends. Nodes of other frames are their callers.
std::vector<CallTree::Node> nodes_of_functions(const CallTree& tree, const Numbering& numbering) {
  std::vector<CallTree::Node> same(tree.size());
  std::map<std::pair<CallTree::Node, FunctionId>, CallTree::Node> first;
  for (CallTree::Node node = CallTree::root + 1; node < tree.size(); ++node) {
    const CallTree::Node parent = same[tree.parent(node)];
    const FrameId frame = tree.frame(node);
    const bool is_function = numbering.is_function(frame);
    same[node] = is_function ? first.try_emplace({parent, numbering.numbers[frame]}, node).first->second : parent;
  }
  return same;
}

// Appends the functions of the stack that ends at a node.
void append_functions(const CallTree& tree, CallTree::Node node, const Numbering& numbering,
                      LargeVector<FunctionId>& to) {
  const auto start = static_cast<std::ptrdiff_t>(to.size());
  for (; node != CallTree::root; node = tree.parent(node)) {
    const FrameId frame = tree.frame(node);
    if (numbering.is_function(frame)) to.push_back(numbering.numbers[frame]);
  }
  std::reverse(to.begin() + start, to.end());
}

}  // namespace

// Each node of the tree is a stack of functions: callers are looked at once, however many stacks they have.
GateStacks::GateStacks(const Profile& profile, unsigned threads) : starts_{0, 0} {
  Numbering numbering = number_functions(profile);
  const RankedFrames ranks(numbering.numbers);
  const CallTree tree(profile, threads, ranks);
  std::vector<CallTree::Node> same;
  if (!numbering.only_functions) same = nodes_of_functions(tree, numbering);
  constexpr std::uint32_t no_number = ~std::uint32_t{0};
  LargeVector<std::uint32_t> stack_at(tree.size(), no_number);
  stack_at[CallTree::root] = no_frames;
  const std::uint32_t count = profile.stack_count();
  stacks_.reserve(count);
  for (std::uint32_t number = 0; number < count; ++number) {
    const CallTree::Node node = same.empty() ? tree.node_of(number) : same[tree.node_of(number)];
    if (stack_at[node] == no_number) {
      stack_at[node] = size();
      append_functions(tree, node, numbering, frames_);
      starts_.push_back(frames_.size());
    }
    stacks_.push_back(stack_at[node]);
  }
  functions_ = std::move(numbering.functions);
  find_interrupts();
}

void GateStacks::find_interrupts() {
  using filter::KernelEntry;
  std::vector<KernelEntry> entries;
  for (const GateFunction& function : functions_) {
    const bool may_be_kernel = function.kind == FrameKind::kernel || function.binary.empty();
    entries.push_back(may_be_kernel && !function.unnamed ? filter::kernel_entry(function.name) : KernelEntry::none);
  }
  const auto is_entry = [](KernelEntry entry) { return entry != KernelEntry::none; };
  if (std::ranges::none_of(entries, is_entry)) return;
  for (std::uint32_t stack = 0; stack < size(); ++stack) {
    filter::StackContext context;
    for (const FunctionId function : functions_of(stack)) {
      if (is_entry(entries[function])) context.enter(entries[function]);
    }
    interrupts_.push_back(context.is_interrupt());
  }
}

}  // namespace perfsift::analysis
