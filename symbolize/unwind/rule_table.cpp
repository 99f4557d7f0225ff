#include "symbolize/unwind/rule_table.h"

#include <algorithm>
#include <iterator>

#include "symbolize/unwind/architecture.h"

namespace perfsift::symbolize {

namespace {

bool is_known(const RegisterRule& rule, std::size_t expression_bytes) {
  const bool has_expression = rule.how == Recovery::at_expression || rule.how == Recovery::expression;
  return rule.number < max_registers && rule.how <= Recovery::undefined &&
         (!has_expression || std::uint64_t{static_cast<std::uint32_t>(rule.value)} + rule.size <= expression_bytes);
}

bool is_known(const FrameRule& rule, const RuleTable& table) {
  const bool has_expression = rule.cfa_register == FrameRule::cfa_is_expression && !rule.is(FrameRule::plain);
  const std::uint64_t expression_end = std::uint64_t{static_cast<std::uint32_t>(rule.cfa_offset)} + rule.cfa_size;
  return (has_expression ? expression_end <= table.expressions.size() : rule.cfa_register < max_registers) &&
         rule.return_register < max_registers &&
         std::uint64_t{rule.first_register} + rule.register_count <= table.registers.size();
}

}  // namespace

const FrameRule* RuleTable::find(std::uint32_t address) const {
  const auto after = std::ranges::upper_bound(rows, address, {}, &Row::start);
  if (after == rows.begin()) return nullptr;
  const std::uint32_t rule = std::prev(after)->rule;
  return rule == no_rule ? nullptr : &rules[rule];
}

bool RuleTable::is_sound() const {
  return std::ranges::all_of(rows, [&](const Row& row) { return row.rule == no_rule || row.rule < rules.size(); }) &&
         std::ranges::all_of(rules, [&](const FrameRule& rule) { return is_known(rule, *this); }) &&
         std::ranges::all_of(registers, [&](const RegisterRule& r) { return is_known(r, expressions.size()); });
}

}  // namespace perfsift::symbolize
