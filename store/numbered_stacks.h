// The stacks of the rows of a table, by numbers in the order in which they come.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "analysis/samples/frame_namer.h"
#include "analysis/samples/frame_table.h"
#include "base/sip_hash.h"
#include "store/engine/engine.h"
#include "store/selection.h"

namespace perfsift::store {

class NumberedStacks {
 public:
  std::uint32_t number_of(const Hash128& stack) {
    const auto [known, is_new] = numbers_.try_emplace(stack, static_cast<std::uint32_t>(ids_.size()));
    if (is_new) ids_.push_back(stack);
    return known->second;
  }
  // The frames of all of them, by number, root first. Inlined calls are among them if the style says so. `table`: that
  // has the rows which the selection chooses. Throws InputError if a stack is missing.
  std::vector<std::vector<analysis::FrameId>> read(Engine& engine, std::string_view table, const Selection& selection,
                                                   analysis::FrameTable& frames,
                                                   const analysis::FrameStyle& style) const;

 private:
  std::map<Hash128, std::uint32_t> numbers_;
  std::vector<Hash128> ids_;
};

}  // namespace perfsift::store
