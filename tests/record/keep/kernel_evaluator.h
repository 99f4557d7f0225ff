// A small evaluator of the kernel's language of tracepoint filters, for tests: what kernel/trace/trace_events_filter.c
// does with the raw data of a sample.
#pragma once

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace perfsift::test {

// A field as the kernel knows it: text, or a number of some size and sign.
struct KernelField {
  std::size_t offset = 0;
  std::size_t size = 0;
  bool is_signed = false;
  bool is_text = false;
};

// What is around the raw data when the filter is asked.
struct KernelMoment {
  std::string_view raw;
  std::string comm;  // of current
  std::int32_t cpu = 0;
};

class KernelEvaluator {
 public:
  KernelEvaluator(std::string_view filter, const std::map<std::string, KernelField>& fields, const KernelMoment& moment)
      : rest_(filter), fields_(fields), moment_(moment) {}

  bool holds() {
    const bool value = either();
    if (!at_end()) throw std::runtime_error("not understood: " + std::string(rest_));
    return value;
  }

 private:
  bool at_end() { return skip(), rest_.empty(); }
  void skip() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool accept(std::string_view text) {
    skip();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  bool either() {
    bool value = both();
    while (accept("||")) value = both() || value;
    return value;
  }
  bool both() {
    bool value = one();
    while (accept("&&")) value = one() && value;
    return value;
  }
  bool one() {
    if (accept("!")) return !one();
    if (!accept("(")) return predicate();
    const bool value = either();
    if (!accept(")")) throw std::runtime_error("expected ): " + std::string(rest_));
    return value;
  }

  bool predicate() {
    skip();
    std::size_t end = 0;
    while (end < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[end])) != 0 || rest_[end] == '_'))
      ++end;
    const std::string name(rest_.substr(0, end));
    rest_.remove_prefix(end);
    for (const std::string_view op : {"~", "==", "!=", "<=", "<", ">=", ">", "&"}) {
      if (accept(op)) return compare(name, op);
    }
    throw std::runtime_error("expected an operator: " + std::string(rest_));
  }

  bool compare(const std::string& name, std::string_view op) {
    skip();
    if (name == "COMM") return compare_text(moment_.comm, op);
    if (name == "CPU") return compare_number<std::int32_t>(moment_.cpu, op);
    const auto field = fields_.find(name);
    if (field == fields_.end()) throw std::runtime_error("no field " + name);
    const std::string_view content = moment_.raw.substr(field->second.offset, field->second.size);
    if (field->second.is_text) return compare_text(content.substr(0, content.find('\0')), op);
    if (field->second.size == 8) return compare_raw<std::int64_t, std::uint64_t>(content, op, field->second.is_signed);
    if (field->second.size == 4) return compare_raw<std::int32_t, std::uint32_t>(content, op, field->second.is_signed);
    if (field->second.size == 2) return compare_raw<std::int16_t, std::uint16_t>(content, op, field->second.is_signed);
    return compare_raw<std::int8_t, std::uint8_t>(content, op, field->second.is_signed);
  }

  template <typename Signed, typename Unsigned>
  bool compare_raw(std::string_view content, std::string_view op, bool is_signed) {
    Unsigned value = 0;
    std::memcpy(&value, content.data(), sizeof value);
    return is_signed ? compare_number<Signed>(static_cast<Signed>(value), op) : compare_number<Unsigned>(value, op);
  }

  // kstrtoll() and kstrtoull(), then a cast to the type of the field: DEFINE_COMPARISON_PRED().
  template <typename T>
  bool compare_number(T value, std::string_view op) {
    char* end = nullptr;
    const std::string text(rest_.substr(0, rest_.find_first_not_of("-0123456789abcdefx")));
    errno = 0;
    const T other = std::is_signed_v<T> ? static_cast<T>(std::strtoll(text.c_str(), &end, 0))
                                        : static_cast<T>(std::strtoull(text.c_str(), &end, 0));
    const bool is_number = !text.empty() && *end == '\0' && errno == 0 && (std::is_signed_v<T> || text[0] != '-');
    if (!is_number) throw std::runtime_error("not a number: " + text);
    rest_.remove_prefix(text.size());
    if (op == "==") return value == other;
    if (op == "!=") return value != other;
    if (op == "<") return value < other;
    if (op == "<=") return value <= other;
    if (op == ">") return value > other;
    if (op == ">=") return value >= other;
    if (op == "&") return (value & other) != 0;
    throw std::runtime_error("not for numbers: " + std::string(op));
  }

  bool compare_text(std::string_view value, std::string_view op) {
    if (!accept("\"")) throw std::runtime_error("expected a text");
    const std::string_view other = rest_.substr(0, rest_.find('"'));
    rest_.remove_prefix(other.size() + 1);
    if (op == "==") return value == other;
    if (op == "!=") return value != other;
    if (op != "~") throw std::runtime_error("not for texts: " + std::string(op));
    if (std::isdigit(static_cast<unsigned char>(other[0])) != 0) return value == other;  // MATCH_INDEX
    if (other.ends_with('*')) return value.starts_with(other.substr(0, other.size() - 1));
    throw std::runtime_error("a glob that the kernel reads in another way");
  }

  std::string_view rest_;
  const std::map<std::string, KernelField>& fields_;
  const KernelMoment& moment_;
};

}  // namespace perfsift::test
