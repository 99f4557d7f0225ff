#include "store/stack_rows.h"

#include "store/engine/row_binary.h"

namespace perfsift::store {
namespace {

using analysis::FrameId;

std::string marks_of(const analysis::FrameOrigin& origin) {
  std::string marks = origin.inlined ? "_[i]" : "";
  if (origin.kind == analysis::FrameKind::kernel) marks += "_[k]";
  if (origin.kind == analysis::FrameKind::jit) marks += "_[j]";
  return marks;
}

}  // namespace

StackRows::StackRows(const analysis::Profile& profile, bool is_folded_text, RecordingRows& to)
    : profile_(profile), is_folded_text_(is_folded_text), stacks_(profile.stacks()), to_(to) {
  functions_.resize(profile.frames().size());
  places_.resize(stacks_.size(), unknown);
  for (const analysis::StackList& list : profile.lists()) callers_.emplace_back(list.callers().size());
}

std::uint32_t StackRows::place_of(std::uint32_t stack) {
  if (stack == analysis::SampleRow::no_stack)
    return empty_ ? *empty_ : *(empty_ = place_of(std::span<const FrameId>()));
  std::uint32_t& place = places_[stack];
  if (place == unknown) place = add(*stacks_[stack]);
  return place;
}

std::uint32_t StackRows::place_of(std::span<const FrameId> frames) {
  StackId id;
  for (const FrameId frame : frames) id.add(function(frame));
  return place_of_id(id, frames, nullptr);
}

std::uint32_t StackRows::add(const analysis::StackList::Entry& stack) {
  const auto callers = profile_.callers(stack.callers).frames;
  std::optional<StackId>& known = callers_[stack.callers.list][stack.callers.index];
  if (!known) {
    known.emplace();
    for (const FrameId frame : callers) known->add(function(frame));
  }
  StackId id = *known;
  id.add(function(stack.leaf));
  return place_of_id(id, callers, &stack.leaf);
}

std::uint32_t StackRows::place_of_id(const StackId& whole, std::span<const FrameId> callers, const FrameId* leaf) {
  const Hash128 id = whole.id();
  const auto [known, is_new] = by_id_.try_emplace(id, static_cast<std::uint32_t>(to_.stacks.rows.size()));
  if (!is_new) return known->second;
  RowWriter row(to_.stacks.bytes);
  row.id(id);
  row.count(callers.size() + (leaf != nullptr ? 1 : 0));
  for (const FrameId frame : callers) row.id(function(frame));
  if (leaf != nullptr) row.id(function(*leaf));
  to_.stacks.rows.push_back({.id = id, .end = to_.stacks.bytes.size()});
  return known->second;
}

const Hash128& StackRows::function(FrameId frame) {
  std::optional<Hash128>& known = functions_[frame];
  if (!known) known = add_function(frame);
  return *known;
}

Hash128 StackRows::add_function(FrameId frame) {
  const analysis::FrameTable& frames = profile_.frames();
  const analysis::FrameOrigin& origin = frames.origin(frame);
  const std::string build_id =
      origin.binary == analysis::FrameOrigin::none ? std::string() : frames.binaries()[origin.binary].build_id.hex();
  const std::string marks = is_folded_text_ ? marks_of(origin) : std::string();
  const StoredFunction function{.name = frames.text(frame),
                                .kind = origin.kind,
                                .inlined = origin.inlined,
                                .unnamed = origin.unnamed,
                                .marks = marks,
                                .binary = frames.binary_of(frame),
                                .build_id = build_id,
                                .file = frames.file_of(frame),
                                .line = origin.line};
  const Hash128 id = id_of(function);
  write(id, function);
  return id;
}

void StackRows::write(const Hash128& id, const StoredFunction& function) {
  RowWriter row(to_.functions.bytes);
  row.id(id);
  row.text(function.name);
  row.text(word_of(function.kind));
  row.boolean(function.inlined);
  row.boolean(function.unnamed);
  row.text(function.marks);
  row.text(function.binary);
  row.text(function.build_id);
  row.text(function.file);
  row.u32(function.line);
  to_.functions.rows.push_back({.id = id, .end = to_.functions.bytes.size()});
}

}  // namespace perfsift::store
