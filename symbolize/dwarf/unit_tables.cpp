#include "symbolize/dwarf/unit_tables.h"

namespace perfsift::symbolize::dwarf {

void UnitTables::append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) const {
  SourcePlace place;
  if (const LineRow* row = lines.find(address)) place = {lines.path(row->file), row->line, row->column};
  if (const std::uint32_t scope = innermost.find(address); scope != Cover::nothing)
    append_chain(scope, place, frames);
  else if (!place.file.empty())
    frames.push_back({.place = place});
}

void UnitTables::append_chain(std::uint32_t number, SourcePlace place, std::vector<SourceFrame>& frames) const {
  // A parent has a smaller number than its children, so the loop ends.
  while (number != Scope::none) {
    const Scope& scope = scopes[number];
    const SourceName name = names->name(scope.name);
    frames.push_back(
        {.name = name.text, .mangled = name.mangled, .inlined = scope.parent != Scope::none, .place = place});
    place = {lines.path(scope.call_file), scope.call_line, scope.call_column};
    number = scope.parent;
  }
}

bool UnitTables::is_sound() const {
  const auto count = static_cast<std::uint32_t>(scopes.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool after_parent = scopes[i].parent == Scope::none || scopes[i].parent < i;
    if (!after_parent || scopes[i].name >= names->count()) return false;
  }
  return innermost.is_sound(count) && lines.is_sound();
}

}  // namespace perfsift::symbolize::dwarf
