#include "filter/operand.h"

#include <algorithm>
#include <utility>

namespace perfsift::filter {
namespace {

constexpr std::string_view no_formats = "a dlfilter does not know the formats of tracepoints";
constexpr std::string_view no_end = "a dlfilter does not know when the recording begins and ends";

}  // namespace

bool Operand::is_text_field() const {
  return is_of_type(FieldType::name) || is_of_type(FieldType::path) || is_of_type(FieldType::event);
}

bool Operand::is_number_field() const {
  return is_of_type(FieldType::id) || is_of_type(FieldType::count) || is_of_type(FieldType::address) ||
         is_of_type(FieldType::time);
}

FactSource Operand::fact() const {
  FactSource source(*field);
  source.mask = mask;
  return source;
}

Operand OperandReader::read(const Syntax& syntax, const Scope& scope) {
  switch (syntax.kind) {
    case SyntaxKind::name:
      return name(syntax, scope);
    case SyntaxKind::number: {
      Operand number{.kind = Operand::Kind::number, .syntax = &syntax};
      number.number = literal(syntax);
      return number;
    }
    case SyntaxKind::text: {
      Operand text{.kind = Operand::Kind::text, .syntax = &syntax};
      text.text = text_of(syntax.token);
      return text;
    }
    case SyntaxKind::mask:
      return masked(syntax, scope);
    default:
      context_.fail(syntax, "expected a field, a number or a text");
  }
}

Operand OperandReader::name(const Syntax& syntax, const Scope& scope) {
  const Token& token = syntax.token;
  if (find_field(token.text, scope.subject) != nullptr) return field(token.text, syntax, scope);
  if (scope.subject == Subject::interval) unknown_field(token, scope);
  return {.kind = Operand::Kind::tracepoint, .syntax = &syntax, .tracepoint = tracepoint_field(token, scope)};
}

Operand OperandReader::field(std::string_view name, const Syntax& at, const Scope& scope) {
  return {.kind = Operand::Kind::field, .syntax = &at, .field = &needed(*find_field(name, scope.subject), at, scope)};
}

const Field& OperandReader::needed(const Field& field, const Syntax& at, const Scope& scope) {
  if (field.cost == Cost::stack) need_stack(at, scope);
  const bool is_of_frames_alone = scope.subject == Subject::interval && is_of_code(field.fact) && !field.frame;
  if (is_of_frames_alone && !scope.in_frame) {
    context_.fail(at, context_.quoted(at) + ": an interval has a stack, whose frames have it: stack has (" +
                          std::string(field.name) + " …)" + (field.fact == Fact::sym ? ", leaf, caller, root" : ""));
  }
  if (field.fact == Fact::ipc) {
    scope.asked.add(Fact::insn_count);
    scope.asked.add(Fact::cycle_count);
  } else if (field.fact == Fact::context) {
    for (const Fact fact : {Fact::context, Fact::cpumode, Fact::sym}) scope.asked.add(fact);
  } else {
    scope.asked.add(field.fact);
  }
  return field;
}

void OperandReader::need_stack(const Syntax& at, const Scope& scope) {
  if (scope.in_frame) context_.fail(at, "this is about a whole stack, and cannot be asked about one of its frames");
  context_.needs.stack = true;
}

// Any other name may be a field of a tracepoint: Filter::check() refuses names that are not.
std::size_t OperandReader::tracepoint_field(const Token& token, const Scope& scope) {
  const std::size_t dot = token.text.rfind('.');
  const bool has_event = token.text.find(':') < dot;
  if (dot == std::string_view::npos && token.text.find(':') != std::string_view::npos) {
    context_.fail_at(token.place, "an event is text: event == \"" + std::string(token.text) + "\"");
  }
  if (dot != std::string_view::npos && !has_event) unknown_field(token, scope);
  TracepointField field{.event = std::string(has_event ? token.text.substr(0, dot) : ""),
                        .name = std::string(has_event ? token.text.substr(dot + 1) : token.text),
                        .text = context_.text(),
                        .place = token.place};
  scope.asked.tracepoint = true;
  auto& all = context_.needs.tracepoint_fields;
  const auto found = std::ranges::find_if(
      all, [&](const TracepointField& other) { return other.event == field.event && other.name == field.name; });
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  all.push_back(std::move(field));
  return all.size() - 1;
}

void OperandReader::unknown_field(const Token& token, const Scope& scope) const {
  const auto near = nearest_field(token.text, scope.subject);
  const bool is_of_samples = scope.subject == Subject::interval && find_field(token.text) != nullptr;
  context_.fail_at(token.place,
                   "'" + std::string(token.text) + "': " +
                       (is_of_samples ? "samples have such a field, and intervals do not" : "there is no such field") +
                       (near ? "; did you mean " + std::string(*near) + "?" : ""));
}

Literal OperandReader::literal(const Syntax& syntax) const {
  const auto value = parse_literal(syntax.token.text);
  if (!value) {
    context_.fail(syntax, context_.quoted(syntax) + ": not a number, as 12, 0x1f, 64k, 50us, 1.5s and 10% are");
  }
  return *value;
}

std::string OperandReader::text_of(const Token& token) {
  std::string text;
  const std::string_view inner = token.text.substr(1, token.text.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const bool quote_follows = i + 1 < inner.size() && (inner[i + 1] == '"' || inner[i + 1] == '\'');
    if (inner[i] == '\\' && quote_follows) ++i;
    text += inner[i];
    if (inner[i] == '\\' && i + 1 < inner.size()) text += inner[++i];
  }
  return text;
}

Operand OperandReader::masked(const Syntax& syntax, const Scope& scope) {
  const Syntax &of = syntax.parts[0], &mask = syntax.parts[1];
  Operand left = read(of, scope);
  const bool has_bits = left.is_of_type(FieldType::id) || left.is_of_type(FieldType::count) ||
                        left.is_of_type(FieldType::address) || left.is_tracepoint();
  if (!has_bits) context_.fail(of, context_.quoted(of) + " has no bits");
  if (mask.kind != SyntaxKind::number) context_.fail(mask, "expected a number: its bits are tested");
  const Literal bits = literal(mask);
  if (bits.kind != Literal::Kind::plain) context_.fail(mask, "expected a number: its bits are tested");
  left.mask = bits.number.bits;
  left.syntax = &syntax;
  return left;
}

PredicateInfo OperandReader::info_of(const Syntax& syntax, const Operand& operand, bool with_share) const {
  if (operand.is_tracepoint()) return context_.info_of(syntax, "tracepoint", no_formats);
  return context_.info_of(syntax, name_of(operand.field->type), with_share ? no_end : operand.field->not_in_perf);
}

}  // namespace perfsift::filter
