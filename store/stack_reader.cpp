#include "store/stack_reader.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "base/error.h"
#include "store/engine/row_binary.h"
#include "store/ids.h"
#include "store/rows_by_ids.h"

namespace perfsift::store {

using analysis::FrameDetail;
using analysis::FrameKind;

void StackReader::read(std::span<const Hash128> ids, const std::string& condition, const Parameters& parameters) {
  const auto query = [&](const std::string& sql) { return engine_.query_shards(sql, parameters); };
  stack_rows_ = engine_.takes_long_parameters()
                    ? rows_by_ids(engine_, "id, frames", "stacks", ids)
                    : query(fmt::format("SELECT id, frames FROM stacks WHERE {}", condition));
  read_stacks();
  for (const std::string& rows : rows_of_functions(condition, parameters)) {
    for (RowReader row(rows); !row.at_end();) {
      const Hash128 id = row.id();
      functions_.emplace(id, function_of(row));
    }
  }
}

void StackReader::read_stacks() {
  constexpr std::size_t size_of_id = 16;
  for (std::string_view rest : stack_rows_) {
    while (!rest.empty()) {
      RowReader row(rest);
      const Hash128 id = row.id();
      row.skip_elements(size_of_id);
      const std::size_t size = rest.size() - row.remaining();
      stacks_.emplace(id, rest.substr(size_of_id, size - size_of_id));
      rest.remove_prefix(size);
    }
  }
}

std::vector<std::string> StackReader::rows_of_functions(const std::string& condition,
                                                        const Parameters& parameters) const {
  constexpr std::string_view columns = "id, name, kind, inlined, unnamed, marks, binary, build_id, file, line";
  if (!engine_.takes_long_parameters()) {
    return engine_.query_shards(
        fmt::format("SELECT {} FROM functions WHERE id IN (SELECT arrayJoin(frames) FROM stacks WHERE {})", columns,
                    condition),
        parameters);
  }
  std::unordered_set<Hash128, HashOfId> wanted;
  for (const auto& [id, frames] : stacks_) {
    RowReader row(frames);
    for (std::size_t functions = row.elements(); functions != 0; --functions) wanted.insert(row.id());
  }
  std::vector<Hash128> ids(wanted.begin(), wanted.end());
  std::ranges::sort(ids, {}, in_table);
  return rows_by_ids(engine_, columns, "functions", ids);
}

// Addresses and lines within functions are not in a store.
StackReader::Function StackReader::function_of(RowReader& row) {
  std::string text = analysis::foldable(row.text());
  const FrameKind kind = kind_of(row.text());
  const bool inlined = row.boolean(), unnamed = row.boolean();
  const std::string_view marks = row.text(), binary = row.text(), build_id = row.text(), file = row.text();
  const std::uint32_t line = row.u32();
  const bool kernel = kind == FrameKind::kernel;
  const filter::KernelEntry entry = kernel ? filter::kernel_entry(text) : filter::KernelEntry::none;
  if (inlined && style_.annotate_inline) text += "_[i]";
  if (kernel && style_.annotate_kernel) text += "_[k]";
  if (kind == FrameKind::jit && style_.annotate_jit) text += "_[j]";
  if (style_.detail == FrameDetail::text)
    return {.frame = frames_.intern(text + std::string(marks)), .kernel = kernel, .inlined = inlined, .entry = entry};
  analysis::FrameOrigin origin{.kind = kind, .inlined = inlined, .unnamed = unnamed};
  if (!binary.empty()) {
    origin.binary = frames_.binary({.path = std::string(binary), .build_id = BuildId::from_hex(build_id)});
  }
  if (!file.empty()) origin.file = frames_.file(file);
  if (style_.detail == FrameDetail::function) origin.line = line;
  return {.frame = frames_.intern(text, origin), .kernel = kernel, .inlined = inlined, .entry = entry};
}

std::span<const StackReader::Function* const> StackReader::functions_of(const Hash128& stack) {
  const auto known = stacks_.find(stack);
  if (known == stacks_.end()) throw InputError("a stack is missing: perfsift store check tells what else is");
  RowReader row(known->second);
  found_.assign(row.elements(), nullptr);
  for (const Function*& each : found_) {
    const auto function = functions_.find(row.id());
    if (function == functions_.end())
      throw InputError("a function is missing: perfsift store check tells what else is");
    each = &function->second;
  }
  return found_;
}

}  // namespace perfsift::store
