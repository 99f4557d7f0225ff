// A section with CFI. The first byte selects the section (1: .debug_frame, else .eh_frame) and the processor (2 and
// 4).
#include <cstddef>
#include <cstdint>
#include <span>

#include "symbolize/unwind/expression.h"
#include "symbolize/unwind/rule_compiler.h"

using namespace perfsift;
using namespace perfsift::symbolize;

namespace {

// A machine with values for many registers and addresses.
class Machine : public ExpressionContext {
 public:
  std::optional<std::uint64_t> register_value(std::uint64_t number) const override {
    return number < 20 ? std::optional(number * 0x1001) : std::nullopt;
  }
  std::optional<std::uint64_t> memory(std::uint64_t address, unsigned) const override {
    return address % 3 == 0 ? std::nullopt : std::optional(address * 0x9e3779b97f4a7c15);
  }
  std::uint64_t load_bias() const override { return 0x7f0000000000; }
};

void check(const RuleTable& table) {
  std::uint64_t last = 0;
  for (const RuleTable::Row& row : table.rows) {
    if (row.start < last || (row.rule != RuleTable::no_rule && row.rule >= table.rules.size())) __builtin_trap();
    last = row.start;
  }
  for (const FrameRule& rule : table.rules) {
    if (rule.first_register + rule.register_count > table.registers.size()) __builtin_trap();
    if (rule.cfa_register == FrameRule::cfa_is_expression)
      evaluate(table.expression(rule.cfa_offset, rule.cfa_size), 8, Machine());
  }
  for (const RegisterRule& r : table.registers)
    if (r.how == Recovery::expression || r.how == Recovery::at_expression)
      evaluate(table.expression(r.value, r.size), 4, Machine(), 0x1000);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint8_t kind = *data;
  const auto architecture = (kind & 2) != 0   ? Architecture::i386
                            : (kind & 4) != 0 ? Architecture::aarch64
                                              : Architecture::x86_64;
  const CfiSection section{.bytes = std::as_bytes(std::span(data + 1, size - 1)),
                           .eh_frame = (kind & 1) == 0,
                           .address = 0x10000,
                           .text_address = 0x1000,
                           .data_address = 0x20000,
                           .address_size = static_cast<std::uint8_t>(architecture == Architecture::i386 ? 4 : 8)};
  CfiReader reader(section);
  reader.for_each_fde([&](std::uint64_t offset, const Fde& fde) {
    if (!CfiReader(section).fde_at(offset)) __builtin_trap();
    RuleCompiler compiler(facts_of(architecture), fde.start);  // for each function, because functions come in any order
    compiler.add(fde, fde.start + fde.size, section);
    check(compiler.take());
  });
  return 0;
}
