#include "output/diff/diff_folded.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perfsift::output {
namespace {

using analysis::CallTree;
using analysis::ChangeOf;
using analysis::JoinedProfile;
using analysis::Side;
using analysis::TreeAmounts;

// value * to / from, rounded; half up. Exact: the product has up to 128 bits.
std::uint64_t scaled(std::uint64_t value, std::uint64_t to, std::uint64_t from) {
  __extension__ using Wide = unsigned __int128;
  if (from == 0) return 0;
  return static_cast<std::uint64_t>((Wide{value} * to + from / 2) / from);
}

}  // namespace

void write_diff_folded(const JoinedProfile& joined, ChangeOf what, unsigned threads, TextWriter& out) {
  const bool several_events = joined.profile().events_with_stacks().size() > 1;
  const CallTree tree(joined.profile(), {}, threads);
  const TreeAmounts before = joined.amounts(tree, Side::before), after = joined.amounts(tree, Side::after);
  const std::uint32_t first_shown = several_events ? 1 : 2;  // depth; the event's is 1
  std::vector<std::size_t> ends{0};                          // of the path's frames in `path`, by depth
  std::string path;
  CallTree::Node event = CallTree::root;
  for (CallTree::Node node = 1; node < tree.size(); ++node) {
    const std::uint32_t depth = tree.depth(node);
    if (depth == 1) event = node;
    ends.resize(depth);
    path.resize(ends.back());
    if (depth >= first_shown) {
      if (depth > first_shown) path += ';';
      path += joined.profile().frames().text(tree.frame(node));
    }
    ends.push_back(path.size());
    std::uint64_t first = before.self(node).value;
    const std::uint64_t second = after.self(node).value;
    if (first == 0 && second == 0) continue;
    if (what == ChangeOf::shares) first = scaled(first, after.total(event).value, before.total(event).value);
    out.text(path);
    out.format(" {} {}\n", first, second);
  }
}

}  // namespace perfsift::output
