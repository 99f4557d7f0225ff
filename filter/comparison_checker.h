// Comparisons: ==, <, =~, in, and fields that are true or false by themselves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "filter/check_context.h"
#include "filter/operand.h"

namespace perfsift::filter {

// Throws UsageError if two sides cannot be compared.
class ComparisonChecker {
 public:
  ComparisonChecker(CheckContext& context, OperandReader& operands) : context_(context), operands_(operands) {}

  PredicatePtr comparison(const Syntax& syntax, const Scope& scope);  // left == right
  PredicatePtr membership(const Syntax& syntax, const Scope& scope);  // left in {…}
  PredicatePtr by_itself(const Syntax& syntax, const Scope& scope);   // a flag; or bits that are set
  PredicatePtr recorded(const Syntax& syntax, const Scope& scope);    // left is recorded
  // `left` matches one of the texts.
  PredicatePtr text_test(const Operand& left, const std::vector<const Operand*>& texts, bool in);

 private:
  PredicatePtr with_constant(const Operand& left, Comparison how, const Operand& right);
  PredicatePtr with_other(const Syntax& syntax, const Operand& left, Comparison how, const Operand& right);
  PredicatePtr ratio(Comparison how, const Operand& right);
  PredicatePtr regex(const Syntax& syntax, const Scope& scope);
  PredicatePtr number_test(const Operand& left, std::vector<Interval> intervals, bool in);
  PredicatePtr pattern_test(const Operand& left, std::vector<TextPattern> patterns, bool matches);
  PredicatePtr text_set(const Operand& left, const std::vector<const Syntax*>& elements, bool in, const Scope& scope);
  PredicatePtr words(const Syntax& syntax, const Operand& left, const std::vector<const Syntax*>& elements,
                     Comparison how);

  Interval interval(const Operand& left, const Syntax& element, const Scope& scope);
  Operand limit(const Operand& left, const Syntax& at, const Scope& scope);
  std::string word_of(const Syntax& syntax) const;
  std::uint64_t bits_of(const Field& field, const std::string& word, const Syntax& at) const;

  void check_number(const Operand& left, const Operand& right) const;
  void check_is_meant(const Operand& field, const Operand& other) const;
  void check_is_no_text(const Syntax& other, const Scope& scope) const;
  [[noreturn]] void fail_unquoted(const Syntax& text) const;

  CheckContext& context_;
  OperandReader& operands_;
};

}  // namespace perfsift::filter
