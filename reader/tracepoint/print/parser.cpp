#include "reader/tracepoint/print/parser.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <utility>

#include "reader/tracepoint/print/tokens.h"

namespace perfsift::reader::print {

namespace {

// Every bracket and every operator is a level. Linux 6.18 has formats of several hundred levels.
constexpr int deepest = 600;

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

class Parser {
 public:
  Parser(std::vector<Token> tokens, const std::vector<TracepointField>& fields, unsigned long_size)
      : tokens_(std::move(tokens)), fields_(fields), long_size_(static_cast<std::uint8_t>(long_size)) {}

  std::optional<std::vector<Expression>> arguments() {
    std::vector<Expression> list;
    while (ok_ && !at_end()) {
      if (!list.empty()) expect(",");
      list.push_back(conditional());
      if (unknown_names_) fail();
    }
    return ok_ ? std::optional(std::move(list)) : std::nullopt;
  }

 private:
  // Counts a level of the expression while the level is parsed.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser), level_(parser.level_) { parser_.deepen(); }
    ~Nesting() { parser_.level_ = level_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
    int level_;
  };

  // --- tokens

  const Token& token(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at_end() const { return token().kind == Token::Kind::end; }
  bool at(std::string_view mark, std::size_t ahead = 0) const {
    return token(ahead).kind == Token::Kind::mark && token(ahead).text == mark;
  }
  bool at_name(std::string_view name) const { return token().kind == Token::Kind::name && token().text == name; }
  std::string take() {
    std::string text = token().text;
    if (!at_end()) ++at_;
    return text;
  }
  bool accept(std::string_view mark) {
    if (!at(mark)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view mark) {
    if (!accept(mark)) fail();
  }
  std::string name() {
    if (token().kind != Token::Kind::name) fail();
    return take();
  }
  // "a" "b" is one text.
  std::string literal() {
    if (token().kind != Token::Kind::text) fail();
    std::string text;
    while (token().kind == Token::Kind::text) text += take();
    return text;
  }
  // Moves to the end token, where all loops end.
  Expression fail() {
    ok_ = false;
    at_ = tokens_.size() - 1;
    return {};
  }
  void deepen() {
    if (++level_ > deepest) fail();
  }

  // --- types

  Type long_type(bool is_signed) const { return {.size = long_size_, .is_signed = is_signed}; }
  Type pointer_to(std::string_view name) const {
    const auto type = name == "void" ? std::optional(Type{}) : named_type(name, long_size_);
    Type pointer{.kind = Type::Kind::pointer, .size = long_size_, .is_signed = false};
    if (type && name != "void") pointer.element_size = type->size, pointer.element_signed = type->is_signed;
    return pointer;
  }

  bool is_type_word(const Token& word) const {
    static const std::set<std::string_view> keywords = {"const", "volatile", "unsigned", "signed", "long", "int",
                                                        "short", "char",     "struct",   "union",  "enum", "void"};
    return word.kind == Token::Kind::name && (keywords.contains(word.text) || named_type(word.text, long_size_));
  }
  // Whether a type begins `ahead` tokens from here: for an unknown name, a pointer to that type.
  bool at_type(std::size_t ahead = 0) const {
    if (is_type_word(token(ahead))) return true;
    if (token(ahead).kind != Token::Kind::name || !at("*", ahead + 1)) return false;
    while (at("*", ahead + 1)) ++ahead;
    return at(")", ahead + 1);
  }

  // "unsigned long int" -> "unsigned long".
  std::string type_name() {
    static const std::set<std::string_view> parts = {"unsigned", "signed", "long", "int", "short", "char"};
    std::size_t longs = 0;
    std::string sign, base;
    for (bool named = false; token().kind == Token::Kind::name;) {
      const std::string word = token().text;
      if (word == "const" || word == "volatile") {
        take();
      } else if (parts.contains(word)) {
        take();
        named = true;
        if (word == "long") ++longs;
        if (word == "unsigned") sign = "unsigned ";
        if (word == "short" || word == "char" || (word == "int" && base.empty())) base = word;
      } else {
        if (named) break;
        if (word == "struct" || word == "union" || word == "enum") take();
        return name();
      }
    }
    if (longs != 0) return sign + (longs == 1 ? "long" : "long long");
    return sign + (base.empty() ? "int" : base);
  }

  Type type() {
    const std::string base = type_name();
    std::size_t stars = 0;
    while (accept("*") || at_name("const")) {
      if (at_name("const")) take();
      ++stars;
    }
    if (stars == 1) return pointer_to(base);
    if (stars > 1) return pointer_to("unsigned long");
    const auto known = named_type(base, long_size_);
    if (!known) fail();
    return known.value_or(int_type);
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
    if (field.type.ends_with('*') && field.size == long_size_) return pointer_to(pointee(field.type));
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
    if (!ok_ || result.number >= fields_.size()) return fail();
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
    if (at("(") && at_type(1)) {
      take();
      const Type target = type();
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
    while (ok_ && (at_type() || at_name("__auto_type")) && !at("(", 1)) {
      const bool deduced = at_name("__auto_type");
      if (deduced) take();
      const Type declared = deduced ? Type{} : type();
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
    std::string_view text = word;
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const bool is_octal = !is_hex && text.size() > 1 && text.front() == '0';
    text.remove_prefix(is_hex ? 2 : 0);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value,
                                              is_hex     ? 16
                                              : is_octal ? 8
                                                         : 10);
    if (error != std::errc() || end == text.data()) return fail();
    std::string suffix(end, text.data() + text.size());
    std::ranges::transform(suffix, suffix.begin(), [](char c) { return static_cast<char>(c & ~0x20); });
    static const std::set<std::string_view> suffixes = {"", "U", "L", "UL", "LU", "LL", "ULL", "LLU"};
    if (!suffixes.contains(suffix)) return fail();

    // The first type that can hold the number.
    const bool is_unsigned = suffix.find('U') != std::string::npos;
    const auto longs = std::ranges::count(suffix, 'L');
    const std::uint8_t sizes[] = {4, long_size_, 8};
    for (auto size = std::begin(sizes) + longs; size != std::end(sizes); ++size) {
      for (const bool is_signed : {true, false}) {
        if (is_signed ? is_unsigned : !is_unsigned && !is_hex && !is_octal) continue;
        const Type type{.size = *size, .is_signed = is_signed};
        if (bits_of(value, type) == value && (!is_signed || static_cast<std::int64_t>(converted(value, type)) >= 0))
          return constant(value, type);
      }
    }
    return constant(value, {.size = 8, .is_signed = false});
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
    if (at_type()) {
      size = type().size;
    } else {
      const Expression operand = conditional();
      const bool array = operand.type.kind == Type::Kind::memory;
      const bool field = operand.operation == Operation::field && operand.number < fields_.size();
      if (operand.type.kind == Type::Kind::text || (array && !field)) return fail();
      size = array ? fields_[operand.number].size : operand.type.size;
    }
    expect(")");
    return constant(size, long_type(false));
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
    while (ok_ && accept(",") && accept("{")) {
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
    Expression value = cast(long_type(true), scalar());
    expect(",");
    scalar();
    expect(")");
    return value;
  }

  std::vector<Token> tokens_;
  const std::vector<TracepointField>& fields_;
  std::uint8_t long_size_;
  std::vector<std::pair<std::string, Type>> locals_;
  std::size_t at_ = 0;
  int level_ = 0;
  bool unknown_names_ = false;
  bool ok_ = true;
};

}  // namespace

std::optional<std::vector<Expression>> parse_arguments(std::string_view text,
                                                       const std::vector<TracepointField>& fields, unsigned long_size) {
  auto tokens = tokens_of(text);
  if (!tokens) return std::nullopt;
  return Parser(std::move(*tokens), fields, long_size).arguments();
}

}  // namespace perfsift::reader::print
