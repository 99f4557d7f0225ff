// DWARF expressions made by hand.
#include "symbolize/unwind/expression.h"

#include <initializer_list>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/bytes.h"

namespace perfsift::symbolize {
namespace {

// Register n has the value 0x1000 + n, up to register 16. The memory at address a has the value a + 1, below 0x10000.
class Machine : public ExpressionContext {
 public:
  std::optional<std::uint64_t> register_value(std::uint64_t number) const override {
    return number <= 16 ? std::optional(0x1000 + number) : std::nullopt;
  }
  std::optional<std::uint64_t> memory(std::uint64_t address, unsigned size) const override {
    const std::uint64_t mask = size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
    return address < 0x10000 ? std::optional((address + 1) & mask) : std::nullopt;
  }
  std::uint64_t load_bias() const override { return 0x700000; }
};

std::optional<std::uint64_t> value_of(std::initializer_list<int> code, unsigned address_size = 8,
                                      std::optional<std::uint64_t> initial = std::nullopt) {
  test::BytesBuilder bytes;
  for (const int byte : code) bytes.u8(static_cast<std::uint8_t>(byte));
  return evaluate(bytes.view(), address_size, Machine(), initial);
}

TEST(Expression, OfAPlt) {
  // rsp + 8 + ((rip & 15) >= 11) * 8: the expression that linkers write for .plt. rip is 0x1010 here: offset 0 in its
  // entry.
  EXPECT_EQ(value_of({0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}), 0x1007 + 8);
  EXPECT_EQ(value_of({0x77, 8, 0x80, 11, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}), 0x1007 + 16);
}

TEST(Expression, Constants) {
  EXPECT_EQ(value_of({0x08, 0xff}), 255u);
  EXPECT_EQ(value_of({0x09, 0xff}), ~std::uint64_t{0});
  EXPECT_EQ(value_of({0x0a, 0x34, 0x12}), 0x1234u);
  EXPECT_EQ(value_of({0x0d, 0xfe, 0xff, 0xff, 0xff}), ~std::uint64_t{1});
  EXPECT_EQ(value_of({0x10, 0xb4, 0x24}), 0x1234u);
  EXPECT_EQ(value_of({0x11, 0x7f}), ~std::uint64_t{0});
  EXPECT_EQ(value_of({0x03, 0, 0x10, 0, 0, 0, 0, 0, 0}), 0x701000u);
}

TEST(Expression, MemoryAndRegisters) {
  EXPECT_EQ(value_of({0x77, 0x10, 0x06}), 0x1007u + 0x10 + 1);
  EXPECT_EQ(value_of({0x0a, 0xff, 0x12, 0x94, 1}), 0x00u);
  EXPECT_EQ(value_of({0x92, 16, 0x7f}), 0x100fu);
  EXPECT_EQ(value_of({0x23, 8}, 8, 0x5000), 0x5008u) << "the CFA lies on the stack where CFI says so";
}

TEST(Expression, Arithmetic) {
  EXPECT_EQ(value_of({0x38, 0x33, 0x1c}), 5u);
  EXPECT_EQ(value_of({0x38, 0x33, 0x1e}), 24u);
  EXPECT_EQ(value_of({0x38, 0x33, 0x1b}), 2u);
  EXPECT_EQ(value_of({0x38, 0x33, 0x1d}), 2u);
  EXPECT_EQ(value_of({0x38, 0x1f}), static_cast<std::uint64_t>(-8));
  EXPECT_EQ(value_of({0x38, 0x1f, 0x19}), 8u);
  EXPECT_EQ(value_of({0x38, 0x1f, 0x31, 0x26}), static_cast<std::uint64_t>(-4));
  EXPECT_EQ(value_of({0x38, 0x33, 0x16, 0x1c}), static_cast<std::uint64_t>(-5));
  EXPECT_EQ(value_of({0x31, 0x32, 0x33, 0x17}), 2u) << "rot: 1 2 3 becomes 3 1 2";
  EXPECT_EQ(value_of({0x31, 0x32, 0x33, 0x15, 2}), 1u);
}

TEST(Expression, NumbersOfASmallProcessorAreSmall) {
  EXPECT_EQ(value_of({0x09, 0xff}, 4), 0xffffffffu);
  EXPECT_EQ(value_of({0x0c, 0xff, 0xff, 0xff, 0xff, 0x23, 2}, 4), 1u);
  EXPECT_EQ(value_of({0x09, 0xff, 0x30, 0x2d}, 4), 1u) << "-1 < 0";
}

TEST(Expression, Branches) {
  EXPECT_EQ(value_of({0x31, 0x28, 1, 0, 0x35, 0x37}), 7u);         // taken: past lit5
  EXPECT_EQ(value_of({0x30, 0x28, 1, 0, 0x35, 0x37, 0x22}), 12u);  // not taken: 5 + 7
  EXPECT_EQ(value_of({0x35, 0x2f, 0, 0}), 5u);
}

TEST(Expression, WhatCannotBeFollowedHasNoValue) {
  EXPECT_EQ(value_of({}), std::nullopt);
  EXPECT_EQ(value_of({0x2f, 0xfd, 0xff}), std::nullopt) << "a loop";
  EXPECT_EQ(value_of({0x2f, 0xf0, 0xff}), std::nullopt) << "a branch to a place before the expression";
  EXPECT_EQ(value_of({0x31, 0x12, 0x2f, 0xfc, 0xff}), std::nullopt) << "a stack that grows";
  EXPECT_EQ(value_of({0x31, 0x30, 0x1b}), std::nullopt) << "1 / 0";
  EXPECT_EQ(value_of({0x31, 0x30, 0x1d}), std::nullopt) << "1 % 0";
  EXPECT_EQ(value_of({0x22}), std::nullopt) << "an empty stack";
  EXPECT_EQ(value_of({0x31, 0x0e, 1}), std::nullopt) << "a constant that ends early";
  EXPECT_EQ(value_of({0x92, 99, 0}), std::nullopt) << "a register that is not known";
  EXPECT_EQ(value_of({0x0c, 0, 0, 0, 0x10, 0x06}), std::nullopt) << "memory that is not known";
  EXPECT_EQ(value_of({0x50}), std::nullopt) << "DW_OP_reg0 is no value";
}

TEST(Expression, TheQuotientThatDoesNotFitIsNoTrap) {
  EXPECT_EQ(value_of({0x0f, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x09, 0xff, 0x1b}), std::uint64_t{1} << 63);
}

}  // namespace
}  // namespace perfsift::symbolize
