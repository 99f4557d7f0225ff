#include "record/keep/condition.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "facts/tracepoint_value.h"
#include "filter/predicates.h"
#include "record/keep/tracepoint_fields.h"

namespace perfsift::record {
namespace {

using filter::Fact;
using filter::Predicate;
using Kind = Condition::Kind;

// Joins parts: all of them with `neutral` yes and `decisive` no, any of them the other way round.
Condition join(Kind how, std::vector<Condition> parts) {
  const Kind neutral = how == Kind::all ? Kind::yes : Kind::no;
  const Kind decisive = how == Kind::all ? Kind::no : Kind::yes;
  Condition whole{.kind = how, .leaf = nullptr, .parts = {}};
  for (Condition& part : parts) {
    if (part.kind == decisive) return part;
    if (part.kind == neutral) continue;
    if (part.kind == how) {
      std::ranges::move(part.parts, std::back_inserter(whole.parts));
    } else {
      whole.parts.push_back(std::move(part));
    }
  }
  if (whole.parts.empty()) return {.kind = neutral, .leaf = nullptr, .parts = {}};
  if (whole.parts.size() > 1) return whole;
  Condition only = std::move(whole.parts.front());
  return only;
}

Condition negated(Condition part) {
  if (part.is_yes() || part.is_no()) return Condition::constant(part.is_no());
  Condition whole{.kind = Kind::not_, .leaf = nullptr, .parts = {}};
  whole.parts.push_back(std::move(part));
  return whole;
}

class Reducer {
 public:
  Reducer(const filter::Filter& filter, const KnownEvent& event) : filter_(filter), event_(event) {}

  Condition of(const Predicate& predicate) const {
    if (const auto* const joined = dynamic_cast<const filter::Joined*>(&predicate)) {
      return join(joined->how() == filter::Joined::How::all ? Kind::all : Kind::any, of_all(predicate.parts()));
    }
    if (dynamic_cast<const filter::Not*>(&predicate) != nullptr) return negated(of(*predicate.parts().front()));
    const auto known = value_of(predicate);
    return known ? Condition::constant(*known) : Condition{.kind = Kind::leaf, .leaf = &predicate, .parts = {}};
  }

 private:
  std::vector<Condition> of_all(const std::vector<const Predicate*>& predicates) const {
    std::vector<Condition> conditions;
    for (const Predicate* const predicate : predicates) conditions.push_back(of(*predicate));
    return conditions;
  }

  // Nothing if the answer depends on the sample.
  std::optional<bool> value_of(const Predicate& predicate) const {
    if (const auto* const text = dynamic_cast<const filter::TextTest*>(&predicate)) return of_name(*text);
    if (const auto* const test = dynamic_cast<const filter::TracepointTest*>(&predicate)) {
      if (!has_field(test->source().field)) return false;
      const reader::TracepointField* const field = field_at(test->source().field);
      return field != nullptr ? constant_answer(*test, *field) : std::nullopt;
    }
    if (const auto* const pair = dynamic_cast<const filter::TracepointPairTest*>(&predicate)) {
      const bool has_all = std::ranges::all_of(pair->fields(), [this](std::size_t field) { return has_field(field); });
      return has_all ? std::nullopt : std::optional(false);
    }
    if (const auto* const recorded = dynamic_cast<const filter::RecordedTest*>(&predicate)) return is_there(*recorded);
    return std::nullopt;
  }

  std::optional<bool> of_name(const filter::TextTest& test) const {
    if (test.source().fact != Fact::event) return std::nullopt;
    const bool any =
        std::ranges::any_of(test.patterns(), [this](const auto& pattern) { return pattern.matches(event_.name); });
    return any == test.matches();
  }

  std::optional<bool> is_there(const filter::RecordedTest& test) const {
    if (test.fact()) return test.fact()->fact == Fact::event ? std::optional(true) : std::nullopt;
    if (!has_field(test.tracepoint().field)) return false;
    return field_at(test.tracepoint().field) != nullptr ? std::optional(true) : std::nullopt;
  }

  // Whether samples of the event may have the field.
  bool has_field(std::size_t field) const {
    return event_.is_tracepoint && (event_.format == nullptr || field_at(field) != nullptr);
  }
  const reader::TracepointField* field_at(std::size_t field) const {
    return event_.format != nullptr ? facts::find_field(*event_.format, filter_.tracepoint_fields()[field]) : nullptr;
  }

  const filter::Filter& filter_;
  const KnownEvent& event_;
};

// `stack has (sym == "read" && dso == "libc*")`
std::string text_of(const Predicate& predicate) {
  const auto* const joined = dynamic_cast<const filter::Joined*>(&predicate);
  const bool is_not = dynamic_cast<const filter::Not*>(&predicate) != nullptr;
  const bool is_of_stack = dynamic_cast<const filter::StackHas*>(&predicate) != nullptr ||
                           dynamic_cast<const filter::WakerHas*>(&predicate) != nullptr;
  if (joined == nullptr && !is_not && !is_of_stack) return predicate.info().text;
  const std::string_view between = joined != nullptr && joined->how() == filter::Joined::How::any ? " || " : " && ";
  std::string parts;
  for (const Predicate* const part : predicate.parts()) {
    if (!parts.empty()) parts += between;
    const std::string text = text_of(*part);
    const bool is_bracketed = joined != nullptr && dynamic_cast<const filter::Joined*>(part) != nullptr;
    parts += is_bracketed ? "(" + text + ")" : text;
  }
  if (joined != nullptr) return parts;
  return (is_not ? "!" : predicate.info().text + " ") + "(" + parts + ")";
}

}  // namespace

std::vector<Condition> Condition::conjuncts() const {
  if (kind == Kind::yes) return {};
  return kind == Kind::all ? parts : std::vector{*this};
}

std::string Condition::text() const {
  if (kind == Kind::leaf) return text_of(*leaf);
  if (kind == Kind::not_) return "!(" + parts.front().text() + ")";
  std::string whole;
  for (const Condition& part : parts) {
    if (!whole.empty()) whole += kind == Kind::all ? " && " : " || ";
    const bool is_joined = part.kind == Kind::all || part.kind == Kind::any;
    whole += is_joined ? "(" + part.text() + ")" : part.text();
  }
  return whole;
}

std::uint64_t Condition::facts() const {
  std::uint64_t facts = leaf != nullptr ? leaf->facts() : 0;
  for (const Condition& part : parts) facts |= part.facts();
  return facts;
}

bool Condition::asks_tracepoint() const {
  if (dynamic_cast<const filter::TracepointTest*>(leaf) != nullptr) return true;
  if (dynamic_cast<const filter::TracepointPairTest*>(leaf) != nullptr) return true;
  const auto* const recorded = dynamic_cast<const filter::RecordedTest*>(leaf);
  if (recorded != nullptr && !recorded->fact()) return true;
  return std::ranges::any_of(parts, &Condition::asks_tracepoint);
}

Condition condition_of(const filter::Filter& filter, const KnownEvent& event) {
  return filter.keeps_all() ? Condition::constant(true) : Reducer(filter, event).of(*filter.root());
}

Condition joined(std::vector<Condition> conjuncts) { return join(Kind::all, std::move(conjuncts)); }

}  // namespace perfsift::record
