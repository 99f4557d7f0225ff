#include "store/stored_accesses.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "store/access_rows.h"
#include "store/engine/row_binary.h"
#include "store/numbered_stacks.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

using analysis::NodeMatch;
using analysis::SummedAccesses;

NodeMatch node_of(std::string_view word) {
  const auto* const known = std::ranges::find(words_of_nodes, word);
  return known == words_of_nodes.end() ? NodeMatch::unknown : static_cast<NodeMatch>(known - words_of_nodes.begin());
}

// Without stacks, all have the stack without frames.
std::string sums_sql(const Selection& selection, bool with_stacks) {
  return fmt::format(
      "SELECT {0} AS of_stack, {1}, sum(toUInt128(accesses)), sum(toUInt128(weight)) FROM accesses WHERE {2} "
      "GROUP BY of_stack, {1} ORDER BY of_stack, {1}",
      with_stacks ? "stack" : "toUInt128(0)",
      "event, thread, cgroup, source, symbol, dso, variable, dso_daddr, kind, node, has_address, mapped, "
      "latency_bucket",
      wanted_samples(selection));
}

SummedAccesses::Sum sum_in(RowReader& row, NumberedStacks& stacks, analysis::FrameTable& texts) {
  SummedAccesses::Sum sum;
  const auto text = [&] { return texts.intern(row.text()); };
  sum.key.stack = stacks.number_of(row.id());
  sum.key.event = text();
  sum.key.comm = text();
  const std::string_view cgroup = row.text();
  sum.key.cgroup = texts.intern(cgroup.empty() ? unknown_cgroup : cgroup);
  sum.key.source = row.u64();
  sum.key.symbol = text();
  sum.key.dso = text();
  sum.key.variable = text();
  sum.key.dso_daddr = text();
  sum.key.kind = text();
  sum.key.node = node_of(row.text());
  sum.key.has_address = row.boolean();
  sum.key.mapped = row.boolean();
  sum.key.latency_bucket = row.u32();
  sum.amount.samples = small_sum(row);
  sum.amount.value = small_sum(row);
  return sum;
}

}  // namespace

SummedAccesses read_accesses(Engine& engine, const Selection& selection, analysis::FrameTable& frames,
                             const analysis::FrameStyle& style, bool with_stacks) {
  SummedAccesses accesses{.frames = &frames, .stacks = {}, .sums = {}};
  NumberedStacks stacks;
  for (const std::string& rows : engine.query_shards(sums_sql(selection, with_stacks), selection.parameters())) {
    for (RowReader row(rows); !row.at_end();) accesses.sums.push_back(sum_in(row, stacks, frames));
  }
  if (with_stacks) accesses.stacks = stacks.read(engine, "accesses", selection, frames, style);
  return accesses;
}

}  // namespace perfsift::store
