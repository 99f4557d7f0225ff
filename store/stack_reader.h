// The stacks and functions of a store, as frames of a profile.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/samples/frame_namer.h"
#include "analysis/samples/frame_table.h"
#include "base/sip_hash.h"
#include "filter/kernel_context.h"
#include "store/engine/engine.h"
#include "store/ids.h"

namespace perfsift::store {

class RowReader;

// Tables have stacks, and rows that are ordered by them, in the order of this.
inline constexpr auto in_table = [](const Hash128& id) { return std::pair(id.high, id.low); };

// Not thread-safe. All arguments must live longer.
class StackReader {
 public:
  struct Function {
    analysis::FrameId frame = 0;
    bool kernel = false;
    bool inlined = false;
    filter::KernelEntry entry = filter::KernelEntry::none;
  };

  StackReader(Engine& engine, analysis::FrameTable& frames, const analysis::FrameStyle& style)
      : engine_(engine), frames_(frames), style_(style) {}

  // Reads stacks, with their functions. `ids`: in the order of the table, each once. Engines that take no long
  // parameters read those that `condition`, SQL on the table stacks, chooses.
  void read(std::span<const Hash128> ids, const std::string& condition, const Parameters& parameters);
  // The functions of a stack, root first. Valid until the next call. Throws InputError if the stack, or one of them,
  // was not there.
  std::span<const Function* const> functions_of(const Hash128& stack);

 private:
  void read_stacks();
  std::vector<std::string> rows_of_functions(const std::string& condition, const Parameters& parameters) const;
  Function function_of(RowReader& row);

  Engine& engine_;
  analysis::FrameTable& frames_;
  const analysis::FrameStyle& style_;
  std::unordered_map<Hash128, Function, HashOfId> functions_;
  std::vector<std::string> stack_rows_;
  std::unordered_map<Hash128, std::string_view, HashOfId> stacks_;  // the rest of the row, in stack_rows_
  std::vector<const Function*> found_;
};

}  // namespace perfsift::store
