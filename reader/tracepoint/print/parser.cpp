#include "reader/tracepoint/print/parser.h"

#include <algorithm>
#include <string>
#include <utility>

#include "reader/tracepoint/print/number_literal.h"
#include "reader/tracepoint/print/token_cursor.h"
#include "reader/tracepoint/print/tokens.h"
#include "reader/tracepoint/print/type_parser.h"

namespace perfsift::reader::print {

namespace {

struct BinaryOperator {
  std::string_view mark;
  int rank;  // a higher rank binds tighter
  Operation operation;
};
constexpr BinaryOperator binary_operators[] = {
    {"||", 1, Operation::logical_or},    {"&&", 2, Operation::logical_and},
    {"|", 3, Operation::bit_or},         {"^", 4, Operation::bit_xor},
    {"&", 5, Operation::bit_and},        {"==", 6, Operation::equal},
    {"!=", 6, Operation::not_equal},     {"<", 7, Operation::less},
    {"<=", 7, Operation::less_equal},    {">", 7, Operation::greater},
    {">=", 7, Operation::greater_equal}, {"<<", 8, Operation::shift_left},
    {">>", 8, Operation::shift_right},   {"+", 9, Operation::add},
    {"-", 9, Operation::subtract},       {"*", 10, Operation::multiply},
    {"/", 10, Operation::divide},        {"%", 10, Operation::remainder},
};

// Names of enums that kernels before 4.17 left in their formats: softirq_entry, hrtimer_expire_exit.
constexpr std::pair<std::string_view, int> known_names[] = {
    {"HI_SOFTIRQ", 0},      {"TIMER_SOFTIRQ", 1},    {"NET_TX_SOFTIRQ", 2},    {"NET_RX_SOFTIRQ", 3},
    {"BLOCK_SOFTIRQ", 4},   {"IRQ_POLL_SOFTIRQ", 5}, {"TASKLET_SOFTIRQ", 6},   {"SCHED_SOFTIRQ", 7},
    {"HRTIMER_SOFTIRQ", 8}, {"RCU_SOFTIRQ", 9},      {"HRTIMER_NORESTART", 0}, {"HRTIMER_RESTART", 1},
};

constexpr Type length_type{.size = 4, .is_signed = false};

bool is_number_size(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

// "const char *" -> "char"; "__data_loc u64[]" -> "u64".
std::string_view pointee(std::string_view type) {
  for (const std::string_view prefix : {"__data_loc ", "__rel_loc ", "const ", "volatile "})
    if (type.starts_with(prefix)) type.remove_prefix(prefix.size());
  type = type.substr(0, type.find('['));
  return type.substr(0, type.find_last_not_of(" *") + 1);
}

class Parser : private TokenCursor {
 public:
  Parser(std::vector<Token> tokens, const std::vector<TracepointField>& fields, unsigned long_size)
      : TokenCursor(std::move(tokens)), fields_(fields), long_size_(static_cast<std::uint8_t>(long_size)) {}

  std::optional<std::vector<Expression>> arguments() {
    std::vector<Expression> list;
    while (ok() && !at_end()) {
      if (!list.empty()) expect(",");
      list.push_back(conditional());
      if (unknown_names_) fail();
    }
    return ok() ? std::optional(std::move(list)) : std::nullopt;
  }

 private:
  Expression fail() {
    TokenCursor::fail();
    return {};
  }

  // --- making expressions

  static Expression constant(std::uint64_t value, const Type& type) {
    return {.operation = Operation::constant, .type = type, .number = converted(value, type)};
  }

  template <typename... Operands>
  Expression made(Operation operation, const Type& type, Operands&&... operands) {
    Expression result{.operation = operation, .type = type};
    result.operands.reserve(sizeof...(operands));
    (result.operands.push_back(std::forward<Operands>(operands)), ...);
    return result;
  }

  Expression cast(const Type& type, Expression operand) {
    const bool memory = operand.type.kind == Type::Kind::memory;
    if (operand.type.kind == Type::Kind::text || (memory && type.kind != Type::Kind::pointer)) return fail();
    Type result = type;
    if (memory) result.kind = Type::Kind::memory;
    return made(Operation::cast, result, std::move(operand));
  }

  Expression binary(Operation operation, Expression left, Expression right) {
    if (!left.type.is_scalar() || !right.type.is_scalar()) return fail();
    const bool truth = operation >= Operation::logical_and && operation <= Operation::not_equal;
    const bool pointers = left.type.kind == Type::Kind::pointer || right.type.kind == Type::Kind::pointer;
    const bool shift = operation == Operation::shift_left || operation == Operation::shift_right;
    // Pointer arithmetic depends on the size of the elements, and is not evaluated.
    if (pointers && !truth) return fail();
    const Type type = truth ? int_type : shift ? promoted(left.type) : common_type(left.type, right.type);
    return made(operation, type, std::move(left), std::move(right));
  }

  Expression chosen(Expression condition, Expression yes, Expression no) {
    if (!condition.type.is_scalar()) return fail();
    const auto kind = [](const Expression& expression) { return expression.type.kind; };
    using enum Type::Kind;
    Type type = text_type;
    if (yes.type.is_scalar() && no.type.is_scalar()) {
      type = kind(yes) == pointer ? yes.type : kind(no) == pointer ? no.type : common_type(yes.type, no.type);
    } else if (kind(yes) == number || kind(no) == number) {
      return fail();
    } else if (kind(yes) == memory && kind(no) == memory) {
      type = yes.type;
    }
    return made(Operation::conditional, type, std::move(condition), std::move(yes), std::move(no));
  }

  Expression indexed(Expression memory, Expression index) {
    if (memory.type.kind != Type::Kind::memory || memory.type.element_size == 0 || !index.type.is_scalar())
      return fail();
    const Type element = memory.type.element();
    return made(Operation::index, element, std::move(memory), std::move(index));
  }

  // --- fields

  Expression of_field(Operation operation, const std::string& name, const Type& type) {
    const TracepointField* const found = find(name);
    if (found == nullptr) return fail();
    return {.operation = operation, .type = type, .number = static_cast<std::uint64_t>(found - fields_.data())};
  }
  const TracepointField* find(const std::string& name) const {
    const auto found = std::ranges::find(fields_, name, &TracepointField::name);
    return found != fields_.end() ? &*found : nullptr;
  }

  Type memory_of(const TracepointField& field) const {
    Type type{.kind = Type::Kind::memory, .size = long_size_, .is_signed = false};
    if (const auto element = named_type(pointee(field.type), long_size_)) {
      type.element_size = element->size;
      type.element_signed = element->is_signed;
    } else if (!field.is_dynamic && is_number_size(field.element_size)) {
      type.element_size = static_cast<std::uint8_t>(field.element_size);
      type.element_signed = field.is_signed;
    }
    return type;
  }

  Type type_of(const TracepointField& field) const {
    if (field.is_array) return memory_of(field);
    if (field.type.ends_with('*') && field.size == long_size_) return types_.pointer_to(pointee(field.type));
    return {.size = static_cast<std::uint8_t>(field.size), .is_signed = field.is_signed};
  }

  // The text after REC. A struct is no number, and the content of a dynamic field is only for __get_str() and the like.
  Expression field() {
    expect("->");
    const std::string named = name();
    const TracepointField* const field = find(named);
    if (field == nullptr || field->is_dynamic) return fail();
    const bool aggregate = field->type.starts_with("struct ") || field->type.starts_with("union ");
    if (!field->is_array && ((aggregate && !field->type.ends_with('*')) || !is_number_size(field->size)))
      return of_field(Operation::address, named, {.kind = Type::Kind::text});  // usable only with &
    return of_field(Operation::field, named, type_of(*field));
  }

  // &REC->field
  Expression address() {
    const bool bracketed = accept("(");
    if (name() != "REC") return fail();
    Expression result = field();
    if (bracketed) expect(")");
    if (!ok() || result.number >= fields_.size()) return fail();
    result.operation = Operation::address;
    result.type = memory_of(fields_[result.number]);
    return result;
  }

  // The name of a dynamic field in brackets.
  Expression dynamic(Operation operation, const Type& type) {
    expect("(");
    const std::string named = name();
    expect(")");
    const TracepointField* const field = find(named);
    if (field == nullptr || !field->is_dynamic) return fail();
    const bool typed = operation == Operation::dynamic_array && type.element_size == 0;
    return of_field(operation, named, typed ? memory_of(*field) : type);
  }

  // --- the grammar of C, from the loosest to the tightest binding

  Expression conditional() {
    const Nesting nesting(*this);
    Expression condition = binary_from(1);
    if (!accept("?")) return condition;
    Expression yes = conditional();
    expect(":");
    Expression no = conditional();
    return chosen(std::move(condition), std::move(yes), std::move(no));
  }

  static const BinaryOperator* operator_of(const Token& token) {
    if (token.kind != Token::Kind::mark) return nullptr;
    const auto* const found = std::ranges::find(binary_operators, token.text, &BinaryOperator::mark);
    return found != std::end(binary_operators) ? found : nullptr;
  }

  Expression binary_from(int rank) {
    Expression left = unary();
    for (const auto* found = operator_of(token()); found != nullptr && found->rank >= rank;
         found = operator_of(token())) {
      take();
      deepen();
      Expression right = binary_from(found->rank + 1);
      left = binary(found->operation, std::move(left), std::move(right));
    }
    return left;
  }

  Expression unary() {
    const Nesting nesting(*this);
    if (at("(") && types_.at_type(1)) {
      take();
      const Type target = types_.type();
      expect(")");
      return cast(target, unary());
    }
    if (accept("&")) return address();
    if (accept("*")) return indexed(unary(), constant(0, int_type));
    for (const auto& [mark, operation] : {std::pair{"-", Operation::negate},
                                          {"~", Operation::complement},
                                          {"!", Operation::invert},
                                          {"+", Operation::cast}}) {
      if (!accept(mark)) continue;
      Expression operand = unary();
      if (!operand.type.is_scalar()) return fail();
      const bool number = operand.type.kind == Type::Kind::number;
      if (!number && operation != Operation::invert) return fail();
      const Type type = operation == Operation::invert ? int_type : promoted(operand.type);
      return made(operation, type, std::move(operand));
    }
    return postfix();
  }

  Expression postfix() {
    Expression result = primary();
    while (accept("[")) {
      deepen();
      Expression index = conditional();
      expect("]");
      result = indexed(std::move(result), std::move(index));
    }
    if (at("->") || at(".")) return fail();
    return result;
  }

  Expression primary() {
    switch (token().kind) {
      case Token::Kind::number:
        return number(take());
      case Token::Kind::character:
        return constant(static_cast<std::uint64_t>(static_cast<signed char>(take().front())), int_type);
      case Token::Kind::text:
        return {.operation = Operation::literal, .type = text_type, .text = literal()};
      case Token::Kind::name:
        return named(take());
      default:
        return bracketed();
    }
  }

  Expression bracketed() {
    if (!accept("(")) return fail();
    if (accept("{")) return block();
    if (at_name("REC") && at(")", 1)) {  // (REC)->field
      take(), take();
      return field();
    }
    Expression result = conditional();
    expect(")");
    return result;
  }

  // ({ int a = …; int b = …; result; })
  Expression block() {
    const std::size_t outer = locals_.size();
    Expression result{.operation = Operation::block};
    while (ok() && (types_.at_type() || at_name("__auto_type")) && !at("(", 1)) {
      const bool deduced = at_name("__auto_type");
      if (deduced) take();
      const Type declared = deduced ? Type{} : types_.type();
      const std::string variable = name();
      expect("=");
      Expression value = conditional();
      if (!value.type.is_scalar()) return fail();
      if (!deduced) value = cast(declared, std::move(value));
      locals_.emplace_back(variable, value.type);
      result.operands.push_back(std::move(value));
      expect(";");
    }
    result.operands.push_back(conditional());
    expect(";");
    expect("}");
    expect(")");
    locals_.resize(outer);
    result.type = result.operands.back().type;
    return result.type.is_scalar() ? std::move(result) : fail();
  }

  Expression number(const std::string& word) {
    const auto literal = number_literal(word, long_size_);
    return literal ? constant(literal->value, literal->type) : fail();
  }

  Expression named(const std::string& name) {
    if (name == "REC") return field();
    if (name == "sizeof") return size_of();
    if (at("(")) return call(name);
    const auto local =
        std::find_if(locals_.rbegin(), locals_.rend(), [&](const auto& known) { return known.first == name; });
    if (local != locals_.rend()) {
      const auto index = static_cast<std::uint64_t>(std::distance(local, locals_.rend()) - 1);
      return {.operation = Operation::local, .type = local->second, .number = index};
    }
    const auto* const known = std::ranges::find(known_names, name, &std::pair<std::string_view, int>::first);
    if (known != std::end(known_names)) return constant(static_cast<std::uint64_t>(known->second), int_type);
    unknown_names_ = true;
    return constant(0, int_type);
  }

  Expression size_of() {
    expect("(");
    std::uint64_t size = 0;
    if (types_.at_type()) {
      size = types_.type().size;
    } else {
      const Expression operand = conditional();
      const bool array = operand.type.kind == Type::Kind::memory;
      const bool field = operand.operation == Operation::field && operand.number < fields_.size();
      if (operand.type.kind == Type::Kind::text || (array && !field)) return fail();
      size = array ? fields_[operand.number].size : operand.type.size;
    }
    expect(")");
    return constant(size, types_.long_type(false));
  }

  // --- functions of the kernel for print formats (include/trace/stages/stage3_trace_output.h)

  Expression call(const std::string& function) {
    const Nesting nesting(*this);
    const Type memory{.kind = Type::Kind::memory, .size = long_size_, .is_signed = false};
    Type characters = memory;
    characters.element_size = 1, characters.element_signed = true;
    std::string name = function;
    if (name.starts_with("__get_rel_")) name.erase(std::string_view("__get_").size(), std::string_view("rel_").size());

    if (name == "__get_str") return dynamic(Operation::dynamic_array, characters);
    if (name == "__get_dynamic_array" || name == "__get_sockaddr") return dynamic(Operation::dynamic_array, memory);
    if (name == "__get_dynamic_array_len") return dynamic(Operation::dynamic_length, length_type);
    if (name == "__get_bitmask") return dynamic(Operation::bitmask, text_type);
    if (name == "__get_cpumask") return dynamic(Operation::cpumask, text_type);
    if (name == "__print_flags") return flags(long_size_);
    if (name == "__print_flags_u64") return flags(8);
    if (name == "__print_symbolic") return symbolic(long_size_);
    if (name == "__print_symbolic_u64") return symbolic(8);
    if (name == "__print_hex") return hex(Operation::hex);
    if (name == "__print_hex_str") return hex(Operation::hex_joined);
    if (name == "__print_array") return array();
    if (name == "__print_dynamic_array") return dynamic_array();
    if (name == "__print_ns_to_secs") return nanoseconds(Operation::divide, {.size = 8, .is_signed = false});
    if (name == "__print_ns_without_secs") return nanoseconds(Operation::remainder, {.size = 4, .is_signed = false});
    if (name == "__builtin_expect") return expected();
    return fail();
  }

  Expression scalar() {
    Expression value = conditional();
    return value.type.is_scalar() ? std::move(value) : fail();
  }
  Expression memory() {
    Expression value = conditional();
    return value.type.kind == Type::Kind::memory ? std::move(value) : fail();
  }

  Expression flags(std::uint8_t size) {
    expect("(");
    Expression result = made(Operation::flags, text_type, scalar());
    expect(",");
    result.text = literal();
    result.number = size;
    names(result);
    return result;
  }
  Expression symbolic(std::uint8_t size) {
    expect("(");
    Expression result = made(Operation::symbolic, text_type, scalar());
    result.number = size;
    names(result);
    return result;
  }

  // , { 1, "A" }, { 2, "B" }, { -1, ((void *)0) } )
  void names(Expression& list) {
    while (ok() && accept(",") && accept("{")) {
      if (accept("}")) continue;  // an empty list
      const bool outside = std::exchange(unknown_names_, false);
      const Expression value = scalar();
      expect(",");
      const bool is_text = token().kind == Token::Kind::text;
      std::string name = is_text ? literal() : std::string{};
      if (!is_text) scalar();  // the null pointer that ends a list
      expect("}");
      const bool known = !std::exchange(unknown_names_, outside);
      if (known && is_text) list.names.push_back({constant_value(value, list.number), std::move(name)});
    }
    expect(")");
  }

  std::uint64_t constant_value(const Expression& expression, std::uint64_t size) {
    static const std::vector<TracepointField> no_fields;
    static const KernelNames no_names;
    const Sample nothing{.fields = no_fields, .kernel = no_names, .raw = {}};
    Evaluation evaluation(nothing);
    const std::uint64_t value = evaluation.number(expression);
    if (!evaluation.ok()) fail();
    return converted(value, {.size = static_cast<std::uint8_t>(size), .is_signed = false});
  }

  Expression hex(Operation operation) {
    expect("(");
    Expression bytes = memory();
    expect(",");
    Expression length = scalar();
    expect(")");
    return made(operation, text_type, std::move(bytes), std::move(length));
  }

  Expression array() {
    expect("(");
    Expression bytes = memory();
    expect(",");
    Expression count = scalar();
    expect(",");
    Expression size = scalar();
    expect(")");
    return made(Operation::array, text_type, std::move(bytes), std::move(count), std::move(size));
  }

  // __print_dynamic_array(field, size of an element)
  Expression dynamic_array() {
    expect("(");
    const std::string named = name();
    expect(",");
    const Expression size = scalar();
    expect(")");
    const TracepointField* const field = find(named);
    if (field == nullptr || !field->is_dynamic) return fail();
    Expression count = binary(Operation::divide, of_field(Operation::dynamic_length, named, length_type), size);
    return made(Operation::array, text_type, of_field(Operation::dynamic_array, named, memory_of(*field)),
                std::move(count), size);
  }

  Expression nanoseconds(Operation operation, const Type& type) {
    expect("(");
    const Type u64{.size = 8, .is_signed = false};
    Expression value = cast(u64, scalar());
    expect(")");
    return cast(type, binary(operation, std::move(value), constant(1'000'000'000, u64)));
  }

  Expression expected() {
    expect("(");
    Expression value = cast(types_.long_type(true), scalar());
    expect(",");
    scalar();
    expect(")");
    return value;
  }

  const std::vector<TracepointField>& fields_;
  std::uint8_t long_size_;
  TypeParser types_{*this, long_size_};
  std::vector<std::pair<std::string, Type>> locals_;
  bool unknown_names_ = false;
};

}  // namespace

std::optional<std::vector<Expression>> parse_arguments(std::string_view text,
                                                       const std::vector<TracepointField>& fields, unsigned long_size) {
  auto tokens = tokens_of(text);
  if (!tokens) return std::nullopt;
  return Parser(std::move(*tokens), fields, long_size).arguments();
}

}  // namespace perfsift::reader::print
