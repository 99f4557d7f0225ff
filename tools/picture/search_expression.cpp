#include "tools/picture/search_expression.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace perfsift::tools {
namespace {

class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view text) : rest_(text) {}

  // The first problem, or nothing.
  std::string read() {
    while (!rest_.empty() && problem_.empty()) take_part();
    if (problem_.empty() && !groups_.empty()) fail("a bracket ( is not closed");
    return problem_;
  }

 private:
  void take_part() {
    if (take("\\")) return take_escape();
    if (take("[")) return take_class();
    if (take("(")) return open_group();
    if (take(")")) return close_group();
    if (take("|") || take("^") || take("$")) {
      repeatable_ = false;
    } else if (!take_quantifier()) {
      rest_.remove_prefix(1);
      repeatable_ = true;
    }
  }

  void take_escape() {
    if (rest_.empty()) return fail("a backslash is at the end");
    repeatable_ = rest_.front() != 'b' && rest_.front() != 'B';  // edges of words
    rest_.remove_prefix(1);
  }

  void take_class() {
    take("^");
    while (!take("]")) {
      const std::optional<unsigned char> first = class_member();
      if (rest_.empty()) return fail("a bracket [ is not closed");
      if (rest_.front() != '-' || rest_.starts_with("-]")) continue;
      rest_.remove_prefix(1);
      const std::optional<unsigned char> last = class_member();
      if (first && last && *last < *first) return fail("a range ends before it begins");
    }
    repeatable_ = true;
  }

  // Where in the order of characters it is; those behind ASCII count as one. Nothing: it does not stand for itself.
  std::optional<unsigned char> class_member() {
    const bool escaped = take("\\");
    if (rest_.empty()) return {};
    const auto character = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return escaped ? std::nullopt : std::optional(std::min<unsigned char>(character, 0x80));
  }

  void open_group() {
    const bool looks_back = rest_.starts_with("?<=") || rest_.starts_with("?<!");
    if (take("?") && !take_kind_of_group()) return fail("there is no group of this kind: (?");
    groups_.push_back({.repeatable = !looks_back});
    repeatable_ = false;
  }

  // What stands behind "(?".
  bool take_kind_of_group() {
    for (const std::string_view kind : {":", "=", "!", "<=", "<!"}) {
      if (take(kind)) return true;
    }
    const bool named = take("<");
    const std::size_t end = named ? rest_.find('>') : rest_.find_first_not_of("ims-");
    if (end == 0 || end == std::string_view::npos || (!named && rest_[end] != ':')) return false;
    rest_.remove_prefix(end + 1);
    return true;
  }

  void close_group() {
    if (groups_.empty()) return fail("a bracket ) has no beginning");
    repeatable_ = groups_.back().repeatable;
    groups_.pop_back();
  }

  // False: there is none.
  bool take_quantifier() {
    if (!take("*") && !take("+") && !take("?") && !take_counts()) return false;
    if (!problem_.empty()) return true;
    if (!repeatable_) fail("there is nothing to repeat");
    take("?");
    repeatable_ = false;
    return true;
  }

  // "{3}", "{3,}", "{3,5}"; other braces stand for themselves.
  bool take_counts() {
    const std::size_t end = rest_.find('}');
    if (!rest_.starts_with('{') || end == std::string_view::npos) return false;
    const std::string_view counts = rest_.substr(1, end - 1);
    const std::size_t comma = counts.find(',');
    const std::string_view least = counts.substr(0, comma);
    const std::string_view most = comma == std::string_view::npos ? least : counts.substr(comma + 1);
    const auto is_number = [](std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; };
    if (least.empty() || !is_number(least) || !is_number(most)) return false;
    rest_.remove_prefix(end + 1);
    if (!most.empty() && in_order(most) < in_order(least)) fail("a number of times ends before it begins");
    return true;
  }

  // Numbers of any length, in their order.
  static std::pair<std::size_t, std::string_view> in_order(std::string_view digits) {
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return {digits.size(), digits};
  }

  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  void fail(std::string_view problem) { problem_ = problem; }

  struct Group {
    bool repeatable = true;  // once it is closed
  };

  std::string_view rest_;
  std::vector<Group> groups_;  // that are open
  bool repeatable_ = false;    // what was taken last
  std::string problem_;
};

}  // namespace

std::string problem_of_expression(std::string_view expression) { return ExpressionReader(expression).read(); }

}  // namespace perfsift::tools
