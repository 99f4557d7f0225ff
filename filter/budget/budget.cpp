#include "filter/budget/budget.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/printable.h"
#include "filter/budget/assertion_parser.h"
#include "filter/syntax_error.h"

namespace perfsift::filter {
namespace {

constexpr std::size_t longest_text = std::size_t{1} << 20;
constexpr std::size_t most_mistakes = 20;                     // that are shown
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // of UTF-8, which some editors put in front

// The mistakes of a text: the form is that of compilers, which editors understand.
class Mistakes {
 public:
  // `error`: of the line of that number.
  void add(const FilterText& source, std::size_t line, const SyntaxError& error) {
    if (++count_ > most_mistakes) return;
    const std::string whole = error.what();
    const std::size_t excerpt = std::min(whole.find('\n'), whole.size());  // the line and the caret
    text_ += fmt::format("{}{}:{}:{}: {}{}", text_.empty() ? "" : "\n", printable(source.origin), line, error.column,
                         error.message, whole.substr(excerpt));
  }
  bool any() const { return count_ != 0; }
  std::string text() const {
    return count_ <= most_mistakes ? text_ : fmt::format("{}\nand {} more mistakes", text_, count_ - most_mistakes);
  }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

}  // namespace

bool Budget::needs_baseline() const {
  return std::ranges::any_of(assertions, [](const Assertion& assertion) { return assertion.limit.of_baseline; });
}

bool Budget::needs(MeasureOf of) const { return std::ranges::find(assertions, of, &Assertion::of) != assertions.end(); }

bool Budget::needs_event() const {
  return std::ranges::any_of(assertions, [](const Assertion& assertion) {
    return assertion.of == MeasureOf::function || assertion.of == MeasureOf::samples ||
           assertion.quantity == Quantity::samples;
  });
}

Budget parse_budget(const FilterText& source) {
  const std::string name = printable(source.origin);
  if (source.text.size() > longest_text) throw UsageError(name + ": a budget may have at most 1 MiB");
  Budget budget{.origin = source.origin, .assertions = {}};
  Mistakes mistakes;
  std::size_t number = 0;
  for (std::size_t begin = source.text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
       begin < source.text.size();) {
    const std::size_t end = std::min(source.text.find('\n', begin), source.text.size());
    const FilterText line{.origin = source.origin, .text = source.text.substr(begin, end - begin)};
    ++number;
    try {
      if (auto assertion = parse_assertion(line)) {
        assertion->line = number;
        budget.assertions.push_back(std::move(*assertion));
      }
    } catch (const SyntaxError& error) {
      mistakes.add(source, number, error);
    }
    begin = end + 1;
  }
  if (mistakes.any()) throw UsageError(mistakes.text());
  if (budget.assertions.empty()) {
    throw UsageError(name + ": there is no assertion in it, such as: total(\"malloc\") < 2%");
  }
  return budget;
}

}  // namespace perfsift::filter
