#include "record/bpf/type_choice.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/edit_distance.h"
#include "base/error.h"
#include "record/bpf/typed_payloads.h"

namespace perfsift::record {
namespace {

constexpr std::size_t most_listed = 20;

// A struct, a union, or a name for one: other types have the size of a payload by chance too often.
bool is_struct(const PayloadType& type) {
  const auto found = type.types->resolved(type.id);
  const BtfKind kind = found ? type.types->type(*found).kind : BtfKind::none;
  return kind == BtfKind::structure || kind == BtfKind::union_;
}

std::string list_of(const std::vector<const PayloadType*>& types) {
  std::vector<std::string> names;
  for (const PayloadType* const type : types) {
    if (names.size() < most_listed) names.push_back(fmt::format("{} ({} bytes)", type->name, type->size));
  }
  if (types.size() > names.size()) names.push_back(fmt::format("and {} more", types.size() - names.size()));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string why_no_types(const std::string& map, const std::vector<MapProgram>& programs) {
  if (programs.empty())
    return fmt::format(
        "{}: no loaded program uses the map (or root's rights are missing to see it), so the types of "
        "its payloads are unknown",
        map);
  return fmt::format("{}: the program {} (id {}) was loaded without types (BTF): compile it with clang -g", map,
                     programs.front().name, programs.front().id);
}

}  // namespace

TypeChoice::TypeChoice(const std::string& map, const std::vector<MapProgram>& programs, std::string wanted)
    : map_(map), wanted_(std::move(wanted)), types_(types_of_programs(programs)) {
  named_ = payload_types(types_);
  if (types_.empty()) why_no_types_ = why_no_types(map, programs);
  if (!wanted_.empty() && find_wanted() == nullptr) refuse_wanted();
}

// "struct event" is what C says.
const PayloadType* TypeChoice::find_wanted() const {
  std::string_view name = wanted_;
  for (const std::string_view prefix : {"struct ", "union ", "enum "}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  const auto found = std::ranges::find(named_, name, &PayloadType::name);
  return found != named_.end() ? &*found : nullptr;
}

void TypeChoice::refuse_wanted() const {
  if (types_.empty()) throw UsageError(fmt::format("type {}: {}", wanted_, why_no_types_));
  std::vector<std::string> names;
  std::vector<const PayloadType*> structs;
  for (const PayloadType& type : named_) {
    names.push_back(type.name);
    if (is_struct(type)) structs.push_back(&type);
  }
  const std::string_view near = nearest(wanted_, names);
  const std::string advice = near.empty() ? "there are " + list_of(structs) : fmt::format("did you mean {}?", near);
  throw UsageError(fmt::format("type {}: the programs of {} have no such type with a size: {}", wanted_, map_, advice));
}

// A struct that has several names is there once.
std::vector<const PayloadType*> TypeChoice::structs_of_size(std::size_t raw_size) const {
  std::vector<const PayloadType*> found;
  std::set<std::pair<const Btf*, std::uint32_t>> seen;
  for (const PayloadType& type : named_) {
    if (!is_struct(type) || !has_raw_size(type.size, raw_size)) continue;
    if (seen.emplace(type.types, type.types->resolved(type.id).value_or(0)).second) found.push_back(&type);
  }
  return found;
}

TypeChoice::Chosen TypeChoice::choose(std::size_t raw_size) const {
  if (const PayloadType* const type = find_wanted(); type != nullptr)
    return {.layout = payload_layout(*type->types, type->id), .why = {}};
  if (types_.empty()) return {.layout = {}, .why = why_no_types_ + "; payloads are shown as bytes"};
  const std::vector<const PayloadType*> fitting = structs_of_size(raw_size);
  if (fitting.empty()) {
    return {.layout = {},
            .why = fmt::format("{}: no struct of its programs has the size of a payload ({} bytes with padding): "
                               "payloads are shown as bytes, unless a type is named",
                               map_, raw_size)};
  }
  if (fitting.size() > 1) {
    throw UsageError(fmt::format("{}: several structs have the size of a payload; name one of these types: {}", map_,
                                 list_of(fitting)));
  }
  const PayloadType& type = *fitting.front();
  return {.layout = payload_layout(*type.types, type.id),
          .why = fmt::format("payloads are taken for struct {}, the only one of {} bytes", type.name, type.size)};
}

}  // namespace perfsift::record
