// The context of a check: the text, for errors; the needs of the expression; and the scope of a part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "filter/predicate.h"
#include "filter/source_text.h"
#include "filter/syntax.h"

namespace perfsift::filter {

constexpr std::uint64_t bit_of(Fact fact) { return std::uint64_t{1} << static_cast<unsigned>(fact); }

// The facts and fields that a part of an expression asks for.
struct Asked {
  std::uint64_t facts = 0;  // a bit for each Fact
  bool tracepoint = false;

  void add(Fact fact) { facts |= bit_of(fact); }
  void add(const Asked& other) {
    facts |= other.facts;
    tracepoint |= other.tracepoint;
  }
};

// The scope of a part of an expression.
struct Scope {
  Subject subject = Subject::sample;
  bool in_frame = false;   // of `stack has (…)`: what is asked is asked about a frame
  bool in_window = false;  // of `within … of (…)` and `between`
  Asked& asked;            // by the part, and by the parts it has
};

// One text of a filter while it is checked.
class CheckContext {
 public:
  // `text`: the index of `source` among the texts of the filter.
  CheckContext(const FilterText& source, std::size_t text, Filter::Needs& filter_needs)
      : needs(filter_needs), source_(source), text_(text) {}

  // Throws UsageError, with the place in the text.
  [[noreturn]] void fail(const Syntax& at, const std::string& message) const { fail_at(at.place, message); }
  [[noreturn]] void fail_at(Span place, const std::string& message) const { filter::fail_at(source_, place, message); }
  // The text of the user.
  std::string written(const Syntax& at) const { return std::string(at.place.of(source_.text)); }
  std::string quoted(const Syntax& at) const { return "'" + written(at) + "'"; }
  PredicateInfo info_of(const Syntax& syntax, std::string_view type, std::string_view not_in_perf = {}) const {
    return {.text = std::string(syntax.inside.of(source_.text)),
            .type = std::string(type),
            .not_in_perf = std::string(not_in_perf)};
  }
  std::size_t text() const { return text_; }

  Filter::Needs& needs;

 private:
  const FilterText& source_;
  const std::size_t text_;
};

inline PredicatePtr with_info(PredicatePtr predicate, PredicateInfo info) {
  predicate->set_info(std::move(info));
  return predicate;
}

}  // namespace perfsift::filter
