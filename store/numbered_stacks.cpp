#include "store/numbered_stacks.h"

#include <algorithm>

#include "store/stack_reader.h"
#include "store/wanted_rows.h"

namespace perfsift::store {

std::vector<std::vector<analysis::FrameId>> NumberedStacks::read(Engine& engine, std::string_view table,
                                                                 const Selection& selection,
                                                                 analysis::FrameTable& frames,
                                                                 const analysis::FrameStyle& style) const {
  std::vector<Hash128> sorted = ids_;
  std::ranges::sort(sorted, {}, in_table);
  StackReader reader(engine, frames, style);
  reader.read(sorted, wanted_stacks(table, selection), selection.parameters());
  std::vector<std::vector<analysis::FrameId>> stacks;
  for (const Hash128& id : ids_) {
    std::vector<analysis::FrameId>& stack = stacks.emplace_back();
    for (const StackReader::Function* const function : reader.functions_of(id)) {
      if (!function->inlined || style.inlines) stack.push_back(function->frame);
    }
  }
  return stacks;
}

}  // namespace perfsift::store
