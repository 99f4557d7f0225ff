#include "record/keep/possible_values.h"

#include "filter/predicates.h"

namespace perfsift::record {
namespace {

using filter::Fact;
using Kind = Condition::Kind;

PossibleValues exactly(ValueSet values, bool in) {
  return {.values = in ? std::move(values) : values.others(), .exact = true};
}

PossibleValues of_leaf(const filter::Predicate& leaf, Fact fact) {
  const auto* const numbers = dynamic_cast<const filter::NumberTest*>(&leaf);
  const bool asks_number = numbers != nullptr && numbers->source().fact == fact &&
                           numbers->source().decode == nullptr && !numbers->source().mask &&
                           !numbers->set().has_shares();
  if (asks_number) return exactly(ValueSet::of(numbers->set().intervals()), numbers->in());
  // The field cpumode has a bit for each mode of the CPU.
  const auto* const bits = dynamic_cast<const filter::BitsTest*>(&leaf);
  const bool asks_mode = bits != nullptr && fact == Fact::cpumode && bits->source().fact == fact &&
                         bits->source().decode != nullptr && !bits->source().mask;
  if (asks_mode) return exactly(ValueSet::of_bits(bits->bits()), bits->any());
  return {.values = ValueSet::all(), .exact = false};
}

}  // namespace

PossibleValues possible_values(const Condition& condition, Fact fact) {
  if (condition.kind == Kind::leaf) return of_leaf(*condition.leaf, fact);
  if (condition.kind == Kind::not_) {
    const PossibleValues part = possible_values(condition.parts.front(), fact);
    return part.exact ? exactly(part.values, false) : PossibleValues{.values = ValueSet::all(), .exact = false};
  }
  const bool all = condition.kind == Kind::all || condition.is_yes();
  PossibleValues whole{.values = all ? ValueSet::all() : ValueSet::none(), .exact = true};
  for (const Condition& part : condition.parts) {
    const PossibleValues next = possible_values(part, fact);
    whole.values = all ? whole.values.in_both(next.values) : whole.values.in_any(next.values);
    whole.exact = whole.exact && next.exact;
  }
  return whole;
}

}  // namespace perfsift::record
