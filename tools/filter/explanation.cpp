#include "tools/filter/explanation.h"

#include "base/printable.h"
#include "filter/predicate.h"

namespace perfsift::tools {
namespace {

void append_parts(const filter::Predicate& predicate, std::size_t depth, std::vector<ExplainedPart>& parts) {
  const filter::PredicateInfo& info = predicate.info();
  const bool compares = !info.type.empty();
  parts.push_back({.depth = depth,
                   .text = printable(info.text),
                   .type = info.type,
                   .cost = compares ? std::string(name_of(predicate.cost())) : ""});
  for (const filter::Predicate* const part : predicate.parts()) append_parts(*part, depth + 1, parts);
}

}  // namespace

bool AnyTracepoint::has(const filter::TracepointField& field) const {
  return !field.event.empty() || !filter::nearest_field(field.name);
}

std::vector<ExplainedPart> explained(const filter::Predicate& predicate) {
  std::vector<ExplainedPart> parts;
  append_parts(predicate, 0, parts);
  return parts;
}

}  // namespace perfsift::tools
