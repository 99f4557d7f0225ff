#include "reader/tracepoint/print/expression.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "reader/tracepoint/field_content.h"
#include "reader/tracepoint/print/byte_texts.h"

namespace perfsift::reader::print {

namespace {

template <typename T>
std::uint64_t compared(Operation operation, T left, T right) {
  switch (operation) {
    case Operation::less:
      return left < right ? 1 : 0;
    case Operation::less_equal:
      return left <= right ? 1 : 0;
    case Operation::greater:
      return left > right ? 1 : 0;
    case Operation::greater_equal:
      return left >= right ? 1 : 0;
    case Operation::equal:
      return left == right ? 1 : 0;
    default:
      return left != right ? 1 : 0;
  }
}

bool is_comparison(Operation operation) { return operation >= Operation::less && operation <= Operation::not_equal; }

// Nothing where C leaves the result undefined.
std::optional<std::uint64_t> divided(Operation operation, std::uint64_t left, std::uint64_t right, const Type& type) {
  if (right == 0) return std::nullopt;
  const bool quotient = operation == Operation::divide;
  if (!type.is_signed) return quotient ? left / right : left % right;
  const auto dividend = static_cast<std::int64_t>(left), divisor = static_cast<std::int64_t>(right);
  if (divisor == -1) return quotient ? 0 - left : 0;  // the machine traps on the smallest number
  return static_cast<std::uint64_t>(quotient ? dividend / divisor : dividend % divisor);
}

std::optional<std::uint64_t> shifted(Operation operation, std::uint64_t left, std::uint64_t count, const Type& type) {
  if (count >= 8U * type.size) return std::nullopt;
  if (operation == Operation::shift_left) return left << count;
  return type.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(left) >> count) : left >> count;
}

// The kernel compares the value with names of type unsigned long, whatever the type of the value is.
Type list_type(const Expression& expression) {
  return {.size = static_cast<std::uint8_t>(expression.number), .is_signed = false};
}

}  // namespace

std::uint64_t Evaluation::number(const Expression& expression) {
  const auto& operands = expression.operands;
  const auto as_type = [&](std::uint64_t value) { return converted(value, expression.type); };
  switch (expression.operation) {
    case Operation::constant:
      return expression.number;
    case Operation::field: {
      const auto value = field_number(field_bytes(expression), expression.type.is_signed, sample_.order);
      if (!value) fail();
      return value.value_or(0);
    }
    case Operation::local:
      return expression.number < locals_.size() ? locals_[expression.number] : (fail(), 0);
    case Operation::block:
      return block(expression);
    case Operation::cast:
      return as_type(number(operands[0]));
    case Operation::negate:
      return as_type(0 - number(operands[0]));
    case Operation::complement:
      return as_type(~number(operands[0]));
    case Operation::invert:
      return number(operands[0]) == 0 ? 1 : 0;
    case Operation::logical_and:
      return number(operands[0]) != 0 && number(operands[1]) != 0 ? 1 : 0;
    case Operation::logical_or:
      return number(operands[0]) != 0 || number(operands[1]) != 0 ? 1 : 0;
    case Operation::conditional:
      return as_type(number(operands[number(operands[0]) != 0 ? 1 : 2]));
    case Operation::index:
      return element(expression);
    case Operation::dynamic_length:
      return field_bytes(expression).size();
    default:
      return binary(expression);
  }
}

std::uint64_t Evaluation::binary(const Expression& expression) {
  if (expression.operands.size() != 2) return fail(), 0;
  const Operation operation = expression.operation;
  const auto &left_side = expression.operands[0], &right_side = expression.operands[1];
  const bool shift = operation == Operation::shift_left || operation == Operation::shift_right;
  // Both sides are converted to one type; for a shift only the type of the left side matters.
  const Type type = shift ? promoted(left_side.type) : common_type(left_side.type, right_side.type);
  const std::uint64_t left = converted(number(left_side), type);
  const std::uint64_t right = shift ? number(right_side) : converted(number(right_side), type);
  if (is_comparison(operation)) {
    return type.is_signed ? compared(operation, static_cast<std::int64_t>(left), static_cast<std::int64_t>(right))
                          : compared(operation, left, right);
  }

  std::optional<std::uint64_t> result;
  switch (operation) {
    case Operation::add:
      result = left + right;
      break;
    case Operation::subtract:
      result = left - right;
      break;
    case Operation::multiply:
      result = left * right;
      break;
    case Operation::divide:
    case Operation::remainder:
      result = divided(operation, left, right, type);
      break;
    case Operation::shift_left:
    case Operation::shift_right:
      result = shifted(operation, left, right, type);
      break;
    case Operation::bit_and:
      result = left & right;
      break;
    case Operation::bit_or:
      result = left | right;
      break;
    case Operation::bit_xor:
      result = left ^ right;
      break;
    default:
      break;  // not a number
  }
  if (!result) fail();
  return converted(result.value_or(0), expression.type);
}

std::uint64_t Evaluation::element(const Expression& expression) {
  const Bytes bytes = memory(expression.operands[0]);
  const std::uint64_t index = number(expression.operands[1]);
  const std::size_t size = expression.type.size;
  if (index >= bytes.size() / size) return fail(), 0;
  return field_number(bytes.subspan(index * size, size), expression.type.is_signed, sample_.order).value_or(0);
}

std::uint64_t Evaluation::block(const Expression& expression) {
  const auto& operands = expression.operands;
  const std::size_t variables = locals_.size();
  // The variables of a block are numbered after the variables of the enclosing blocks.
  for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
    const std::uint64_t value = number(operands[i]);
    locals_.push_back(value);
  }
  const std::uint64_t result = number(operands.back());
  locals_.resize(variables);
  return result;
}

Bytes Evaluation::field_bytes(const Expression& expression) {
  if (expression.number >= sample_.fields.size()) return fail(), Bytes{};
  const TracepointField& field = sample_.fields[expression.number];
  const auto bytes = content(field, sample_.raw, sample_.order);
  if (!bytes) return fail(), Bytes{};
  // An array without a size is the rest of the raw data.
  const bool open = field.size == 0 && field.is_array && !field.is_dynamic;
  return open ? sample_.raw.subspan(std::min(field.offset, sample_.raw.size())) : *bytes;
}

Bytes Evaluation::memory(const Expression& expression) {
  switch (expression.operation) {
    case Operation::field:
    case Operation::address:
    case Operation::dynamic_array:
      return field_bytes(expression);
    case Operation::cast:
      return memory(expression.operands[0]);
    case Operation::conditional:
      return memory(expression.operands[number(expression.operands[0]) != 0 ? 1 : 2]);
    default:
      return fail(), Bytes{};
  }
}

std::string Evaluation::text(const Expression& expression) {
  switch (expression.type.kind) {
    case Type::Kind::memory:
      return std::string(c_string(memory(expression)));
    case Type::Kind::number:
    case Type::Kind::pointer:
      return at_address(expression);
    case Type::Kind::text:
      break;
  }
  switch (expression.operation) {
    case Operation::literal:
      return expression.text;
    case Operation::conditional:
      return text(expression.operands[number(expression.operands[0]) != 0 ? 1 : 2]);
    case Operation::flags:
      return flags(expression);
    case Operation::symbolic:
      return symbolic(expression);
    case Operation::hex:
    case Operation::hex_joined:
      return hex(expression);
    case Operation::array:
      return array(expression);
    case Operation::bitmask:
      return bits_in_hex(field_bytes(expression), sample_.order, sample_.long_size);
    case Operation::cpumask:
      return ranges_of_bits(field_bytes(expression), sample_.order, sample_.long_size);
    default:
      return fail(), std::string{};
  }
}

// trace_print_flags_seq() in kernel/trace/trace_output.c. Bits without a name are printed in the width of the value.
std::string Evaluation::flags(const Expression& expression) {
  const Expression& value = expression.operands[0];
  std::uint64_t flags = converted(number(value), list_type(expression));
  std::string text;
  bool first = true;
  const auto append = [&](std::string_view name) {
    if (!first) text += expression.text;
    text += name;
    first = false;
  };
  for (const Expression::Name& name : expression.names) {
    if (name.value == 0 || (flags & name.value) != name.value) continue;
    append(name.name);
    flags &= ~name.value;
  }
  if (const auto left = bits_of(flags, value.type); left != 0) append(fmt::format("0x{:x}", left));
  return text;
}

// trace_print_symbols_seq().
std::string Evaluation::symbolic(const Expression& expression) {
  const Expression& value = expression.operands[0];
  const std::uint64_t wanted = converted(number(value), list_type(expression));
  const auto found = std::ranges::find(expression.names, wanted, &Expression::Name::value);
  return found != expression.names.end() ? found->name : fmt::format("0x{:x}", bits_of(wanted, value.type));
}

Bytes Evaluation::first(Bytes bytes, std::uint64_t count, std::uint64_t size) {
  if (size == 0 || count > bytes.size() / size) return fail(), Bytes{};
  return bytes.first(static_cast<std::size_t>(count * size));
}

std::string Evaluation::hex(const Expression& expression) {
  const auto length = converted(number(expression.operands[1]), int_type);
  const Bytes bytes = first(memory(expression.operands[0]), length, 1);
  return bytes_in_hex(bytes, expression.operation == Operation::hex ? " " : "");
}

// trace_print_array_seq().
std::string Evaluation::array(const Expression& expression) {
  const auto count = converted(number(expression.operands[1]), int_type);
  const std::uint64_t size = number(expression.operands[2]);
  const Bytes bytes = first(memory(expression.operands[0]), count, size);
  std::string text = "{";
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const auto value = field_number(bytes.subspan(at, size), false, sample_.order);
    if (!value) fail();
    text += fmt::format("{}0x{:x}", at == 0 ? "" : ",", value.value_or(0));
  }
  return text + "}";
}

// The text at a kernel address is known if tracepoint_string() registered it; for other addresses perf prints the
// address.
std::string Evaluation::at_address(const Expression& expression) {
  const std::uint64_t address = bits_of(number(expression), expression.type);
  if (expression.type.size != sample_.long_size) return fail(), std::string{};
  const std::string* const text = sample_.kernel.text(address);
  return text != nullptr ? *text : fmt::format("{:x}", address);
}

}  // namespace perfsift::reader::print
