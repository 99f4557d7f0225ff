// One side of a comparison: a field, a field of a tracepoint, a number or a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "filter/check_context.h"
#include "filter/field.h"
#include "filter/literal.h"
#include "filter/predicates.h"

namespace perfsift::filter {

struct Operand {
  enum class Kind : std::uint8_t { field, tracepoint, number, text };
  Kind kind = Kind::number;
  const Syntax* syntax = nullptr;
  const Field* field = nullptr;
  std::size_t tracepoint = 0;  // in Filter::Needs::tracepoint_fields
  std::optional<std::uint64_t> mask;
  Literal number;
  std::string text;

  bool is_constant() const { return kind == Kind::number || kind == Kind::text; }
  bool is_tracepoint() const { return kind == Kind::tracepoint; }
  bool is_of_type(FieldType type) const { return kind == Kind::field && field->type == type; }
  bool is_text_field() const;
  bool is_number_field() const;
  bool is_share() const { return kind == Kind::number && number.kind == Literal::Kind::share; }
  Cost cost() const { return is_tracepoint() ? Cost::tracepoint : field->cost; }
  FactSource fact() const;
  TracepointSource tracepoint_source() const { return {.field = tracepoint, .mask = mask}; }
};

// Makes operands from the syntax. Throws UsageError.
class OperandReader {
 public:
  explicit OperandReader(CheckContext& context) : context_(context) {}

  Operand read(const Syntax& syntax, const Scope& scope);
  // The field with the name in `syntax`. Other parts of `syntax` do not count.
  Operand name(const Syntax& syntax, const Scope& scope);
  Operand field(std::string_view name, const Syntax& at, const Scope& scope);
  Literal literal(const Syntax& syntax) const;
  // A text without its quotes. A backslash stays together with the character behind it, unless that is a quote.
  static std::string text_of(const Token& token);

  // Notes that the part is about a whole stack. Throws UsageError if the scope has none.
  void need_stack(const Syntax& at, const Scope& scope);
  // The facts for explanations: the type of values that the operand is compared with, and why perf cannot evaluate it.
  PredicateInfo info_of(const Syntax& syntax, const Operand& operand, bool with_share = false) const;

 private:
  const Field& needed(const Field& field, const Syntax& at, const Scope& scope);
  std::size_t tracepoint_field(const Token& token, const Scope& scope);
  [[noreturn]] void unknown_field(const Token& token, const Scope& scope) const;
  Operand masked(const Syntax& syntax, const Scope& scope);

  CheckContext& context_;
};

}  // namespace perfsift::filter
