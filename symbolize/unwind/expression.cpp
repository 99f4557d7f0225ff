#include "symbolize/unwind/expression.h"

#include <algorithm>
#include <array>

#include "base/leb128.h"

namespace perfsift::symbolize {

namespace {

// DWARF 5, 7.7.1.
namespace op {
enum : std::uint8_t {
  addr = 0x03,
  deref = 0x06,
  const1u = 0x08,
  const1s = 0x09,
  const2u = 0x0a,
  const2s = 0x0b,
  const4u = 0x0c,
  const4s = 0x0d,
  const8u = 0x0e,
  const8s = 0x0f,
  constu = 0x10,
  consts = 0x11,
  dup = 0x12,
  drop = 0x13,
  over = 0x14,
  pick = 0x15,
  swap = 0x16,
  rot = 0x17,
  abs = 0x19,
  and_ = 0x1a,
  div = 0x1b,
  minus = 0x1c,
  mod = 0x1d,
  mul = 0x1e,
  neg = 0x1f,
  not_ = 0x20,
  or_ = 0x21,
  plus = 0x22,
  plus_uconst = 0x23,
  shl = 0x24,
  shr = 0x25,
  shra = 0x26,
  xor_ = 0x27,
  bra = 0x28,
  eq = 0x29,
  ge = 0x2a,
  gt = 0x2b,
  le = 0x2c,
  lt = 0x2d,
  ne = 0x2e,
  skip = 0x2f,
  lit0 = 0x30,
  lit31 = 0x4f,
  breg0 = 0x70,
  breg31 = 0x8f,
  bregx = 0x92,
  deref_size = 0x94,
  nop = 0x96,
};
}  // namespace op

constexpr unsigned max_steps = 1000;

class Evaluation {
 public:
  Evaluation(Bytes expression, unsigned address_size, const ExpressionContext& context)
      : expression_(expression), in_(expression), address_size_(address_size), context_(context) {}

  void push(std::uint64_t value) {
    if (depth_ == stack_.size()) return in_.fail();
    stack_[depth_++] = address_size_ == 4 ? value & 0xffffffff : value;
  }

  std::optional<std::uint64_t> run() {
    for (unsigned steps = 0; in_.remaining() != 0; ++steps) {
      if (steps == max_steps) return std::nullopt;
      step(in_.u8());
    }
    if (!in_.ok() || depth_ == 0) return std::nullopt;
    return stack_[depth_ - 1];
  }

 private:
  std::uint64_t pop() { return depth_ == 0 ? (in_.fail(), 0) : stack_[--depth_]; }
  std::uint64_t peek(std::uint64_t from_top) {
    return from_top < depth_ ? stack_[depth_ - 1 - from_top] : (in_.fail(), 0);
  }
  void push(std::optional<std::uint64_t> value) { value ? push(*value) : in_.fail(); }
  std::int64_t as_signed(std::uint64_t value) const {
    return address_size_ == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
  }

  void step(std::uint8_t code) {
    if (code >= op::lit0 && code <= op::lit31) return push(std::uint64_t{code} - op::lit0);
    if (code >= op::breg0 && code <= op::breg31) return push_register(std::uint64_t{code} - op::breg0);
    if (code >= op::const1u && code <= op::consts) return push_constant(code);
    if (code >= op::dup && code <= op::rot) return shuffle(code);
    if (code == op::bra || code == op::skip) return branch(code);
    if (code == op::abs || code == op::neg || code == op::not_ || code == op::plus_uconst) return one_operand(code);
    if (code >= op::and_ && code <= op::ne) return two_operands(code);
    switch (code) {
      case op::addr:
        return push((address_size_ == 4 ? in_.u32() : in_.u64()) + context_.load_bias());
      case op::deref:
        return push(context_.memory(pop(), address_size_));
      case op::deref_size:
        return dereference(in_.u8());
      case op::bregx:
        return push_register(uleb128(in_));
      case op::nop:
        return;
      default:
        return in_.fail();
    }
  }

  void dereference(unsigned size) {
    if (size == 0 || size > address_size_) return in_.fail();
    push(context_.memory(pop(), size));
  }

  void push_register(std::uint64_t number) {
    const auto offset = static_cast<std::uint64_t>(sleb128(in_));
    const auto value = context_.register_value(number);
    push(value ? std::optional(*value + offset) : std::nullopt);
  }

  void push_constant(std::uint8_t code) {
    const auto extended = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    switch (code) {
      case op::const1u:
        return push(in_.u8());
      case op::const1s:
        return push(extended(static_cast<std::int8_t>(in_.u8())));
      case op::const2u:
        return push(in_.u16());
      case op::const2s:
        return push(extended(static_cast<std::int16_t>(in_.u16())));
      case op::const4u:
        return push(in_.u32());
      case op::const4s:
        return push(extended(in_.i32()));
      case op::constu:
        return push(uleb128(in_));
      case op::consts:
        return push(extended(sleb128(in_)));
      default:  // const8u, const8s
        return push(in_.u64());
    }
  }

  void shuffle(std::uint8_t code) {
    switch (code) {
      case op::dup:
        return push(peek(0));
      case op::drop:
        pop();
        return;
      case op::over:
        return push(peek(1));
      case op::pick:
        return push(peek(in_.u8()));
      case op::swap: {
        const std::uint64_t top = pop(), below = pop();
        push(top);
        return push(below);
      }
      default: {  // rot: the top goes below the next two
        const std::uint64_t top = pop(), second = pop(), third = pop();
        push(top);
        push(third);
        return push(second);
      }
    }
  }

  void branch(std::uint8_t code) {
    const auto distance = static_cast<std::int16_t>(in_.u16());
    if (code == op::bra && pop() == 0) return;
    const auto here = static_cast<std::int64_t>(expression_.size() - in_.remaining());
    const std::int64_t there = here + distance;
    if (!in_.ok() || there < 0 || there > static_cast<std::int64_t>(expression_.size())) return in_.fail();
    in_ = ByteReader(expression_.subspan(static_cast<std::size_t>(there)));
  }

  void one_operand(std::uint8_t code) {
    const std::uint64_t value = pop();
    if (code == op::plus_uconst) return push(value + uleb128(in_));
    if (code == op::not_) return push(~value);
    push(code == op::abs && as_signed(value) >= 0 ? value : -value);
  }

  void two_operands(std::uint8_t code) {
    const std::uint64_t right = pop(), left = pop();
    switch (code) {
      case op::and_:
        return push(left & right);
      case op::or_:
        return push(left | right);
      case op::xor_:
        return push(left ^ right);
      case op::plus:
        return push(left + right);
      case op::minus:
        return push(left - right);
      case op::mul:
        return push(left * right);
      case op::div:
        // The one quotient that does not fit is that of the smallest number by -1.
        if (right == 0) return in_.fail();
        return push(as_signed(right) == -1 ? -left : static_cast<std::uint64_t>(as_signed(left) / as_signed(right)));
      case op::mod:
        return right == 0 ? in_.fail() : push(left % right);
      case op::shl:
        return push(right < 64 ? left << right : 0);
      case op::shr:
        return push(right < 64 ? left >> right : 0);
      case op::shra:
        return push(static_cast<std::uint64_t>(as_signed(left) >> std::min<std::uint64_t>(right, 63)));
      case op::eq:
        return push(std::uint64_t{left == right});
      case op::ne:
        return push(std::uint64_t{left != right});
      case op::ge:
        return push(std::uint64_t{as_signed(left) >= as_signed(right)});
      case op::gt:
        return push(std::uint64_t{as_signed(left) > as_signed(right)});
      case op::le:
        return push(std::uint64_t{as_signed(left) <= as_signed(right)});
      case op::lt:
        return push(std::uint64_t{as_signed(left) < as_signed(right)});
      default:
        return in_.fail();
    }
  }

  Bytes expression_;
  ByteReader in_;
  unsigned address_size_;
  const ExpressionContext& context_;
  std::array<std::uint64_t, 64> stack_;
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<std::uint64_t> evaluate(Bytes expression, unsigned address_size, const ExpressionContext& context,
                                      std::optional<std::uint64_t> initial) {
  Evaluation evaluation(expression, address_size, context);
  if (initial) evaluation.push(*initial);
  return evaluation.run();
}

}  // namespace perfsift::symbolize
