#include "symbolize/unwind/rule_compiler.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/hash.h"

namespace perfsift::symbolize {

namespace {

// A large C++ library has some thousands of rules, and some dozen bytes of expressions. Hostile CFI could have a rule
// for each byte: rules beyond these limits are left out.
constexpr std::size_t max_rules = 65536, max_expression_bytes = 1 << 20;

template <typename T>
bool fits(std::int64_t value) {
  return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

template <typename T>
std::uint64_t mix_bytes(std::uint64_t hash, const T& value) {
  static_assert(sizeof value % sizeof hash == 0);
  std::uint64_t words[sizeof value / sizeof hash];
  std::memcpy(words, &value, sizeof value);
  for (const std::uint64_t word : words) hash = spread(hash ^ word) ^ hash >> 29;
  return hash;
}

}  // namespace

void RuleCompiler::add(const Fde& fde, std::uint64_t end, const CfiSection& section) {
  if (fde.cie->return_register >= architecture_.registers) return;
  std::uint64_t done = fde.start;
  run_cfi_program(fde, section, architecture_, [&](std::uint64_t start, std::uint64_t until, const FrameState& state) {
    const auto corrected = without_words_of_plt(state, static_cast<unsigned>(fde.cie->return_register));
    if (start < end) add_row(start, rule_of(corrected ? *corrected : state, *fde.cie));
    done = std::min(until, end);
  });
  add_row(done, RuleTable::no_rule);  // gives way to the next function where that starts here
}

RuleTable RuleCompiler::take() {
  return {.rows = FlatArray(std::move(table_.rows)),
          .rules = FlatArray(std::move(table_.rules)),
          .registers = FlatArray(std::move(table_.registers)),
          .expressions = FlatArray(std::move(table_.expressions))};
}

void RuleCompiler::add_row(std::uint64_t start, std::uint32_t rule) {
  const std::uint64_t relative = start - base_;
  if (start < base_ || relative > std::numeric_limits<std::uint32_t>::max()) return;
  auto& rows = table_.rows;
  if (!rows.empty() && rows.back().start == relative) rows.pop_back();
  if (!rows.empty() && rows.back().rule == rule) return;
  rows.push_back({.start = static_cast<std::uint32_t>(relative), .rule = rule});
}

// On AArch64, the first entry of a PLT pushes two words before it jumps to glibc's _dl_runtime_resolve(), whose CFI
// does not count them: the return address lies above the CFA, in the frame of the caller
// (sysdeps/aarch64/dl-trampoline.S). The CFA is above the two words.
std::optional<FrameState> RuleCompiler::without_words_of_plt(const FrameState& state, unsigned return_register) const {
  constexpr std::int64_t second_word = 8, two_words = 16;
  if (architecture_.link_register != return_register || (state.ruled >> return_register & 1) == 0) return std::nullopt;
  const FrameState::Rule& saved = state.registers[return_register];
  if (state.has_cfa_expression || state.cfa_register != architecture_.stack_pointer ||
      saved.how != Recovery::at_cfa_plus || saved.value != second_word) {
    return std::nullopt;
  }
  FrameState corrected = state;
  corrected.cfa_offset += two_words;
  for (FrameState::Rule& rule : corrected.registers) {
    if (rule.how == Recovery::at_cfa_plus || rule.how == Recovery::cfa_plus) rule.value -= two_words;
  }
  return corrected;
}

std::uint32_t RuleCompiler::rule_of(const FrameState& state, const Cie& cie) {
  const auto column = static_cast<unsigned>(cie.return_register);
  const bool ruled = (state.ruled >> column & 1) != 0;
  FrameRule rule{.return_register = static_cast<std::uint8_t>(column)};
  registers_.clear();
  if (ruled && state.registers[column].how == Recovery::undefined) {
    rule.flags = FrameRule::outermost;
    return intern(rule);
  }
  // The program counter itself cannot have kept its value; a link register can.
  const bool possible =
      (ruled || column != architecture_.program_counter) && compile_cfa(state, rule) && compile_registers(state, rule);
  if (!possible) {
    rule = {.flags = FrameRule::impossible};
    registers_.clear();
    return intern(rule);
  }
  if (cie.signal_frame) rule.flags |= FrameRule::signal_frame;
  // The instructions of a trampoline tell more than its CFI on AArch64: see Unwinder.
  const bool instructions_tell = cie.signal_frame && architecture_.link_register;
  const bool plain = !instructions_tell && rule.cfa_register != FrameRule::cfa_is_expression &&
                     std::ranges::all_of(registers_, [](auto& r) { return r.how == Recovery::at_cfa_plus; });
  if (plain) rule.flags |= FrameRule::plain;
  return intern(rule);
}

bool RuleCompiler::compile_cfa(const FrameState& state, FrameRule& rule) {
  if (state.has_cfa_expression) {
    rule.cfa_register = FrameRule::cfa_is_expression;
    return keep_expression(state.cfa_expression, rule.cfa_offset, rule.cfa_size);
  }
  if (state.cfa_register >= architecture_.registers || !fits<std::int32_t>(state.cfa_offset)) return false;
  rule.cfa_register = static_cast<std::uint8_t>(state.cfa_register);
  rule.cfa_offset = static_cast<std::int32_t>(state.cfa_offset);
  return true;
}

bool RuleCompiler::compile_registers(const FrameState& state, FrameRule& rule) {
  for (std::uint64_t left = state.ruled; left != 0; left &= left - 1) {
    const auto number = static_cast<std::uint8_t>(__builtin_ctzll(left));
    RegisterRule compiled{.number = number};
    if (!compile_register(state.registers[number], compiled)) return false;
    registers_.push_back(compiled);
  }
  rule.register_count = static_cast<std::uint8_t>(registers_.size());
  return true;
}

bool RuleCompiler::compile_register(const FrameState::Rule& from, RegisterRule& to) {
  to.how = from.how;
  switch (from.how) {
    case Recovery::at_expression:
    case Recovery::expression:
      return keep_expression(from.expression, to.value, to.size);
    case Recovery::in_register:
      if (from.value < 0 || from.value >= architecture_.registers) to.how = Recovery::undefined;
      break;
    case Recovery::at_cfa_plus:
    case Recovery::cfa_plus:
    case Recovery::undefined:
      if (!fits<std::int32_t>(from.value)) return false;
      break;
  }
  to.value = to.how == Recovery::undefined ? 0 : static_cast<std::int32_t>(from.value);
  return true;
}

// Every PLT and every signal trampoline has an expression of its own; equal ones in a row are kept once.
bool RuleCompiler::keep_expression(Bytes expression, std::int32_t& start, std::uint16_t& size) {
  auto& kept = table_.expressions;
  if (expression.size() > std::numeric_limits<std::uint16_t>::max()) return false;
  if (kept.size() > max_expression_bytes) return false;
  const std::size_t recent = std::min<std::size_t>(kept.size(), 1024);
  auto found =
      std::search(kept.end() - static_cast<std::ptrdiff_t>(recent), kept.end(), expression.begin(), expression.end());
  start = static_cast<std::int32_t>(found - kept.begin());
  size = static_cast<std::uint16_t>(expression.size());
  if (found == kept.end()) kept.insert(kept.end(), expression.begin(), expression.end());
  return true;
}

std::uint32_t RuleCompiler::intern(FrameRule rule) {
  std::uint64_t hash = mix_bytes(0, rule);
  for (const RegisterRule& r : registers_) hash = mix_bytes(hash, r);
  const auto [first, last] = known_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    const FrameRule& other = table_.rules[known->second];
    rule.first_register = other.first_register;
    if (rule == other && same_registers(other)) return known->second;
  }
  if (table_.rules.size() == max_rules) return RuleTable::no_rule;
  rule.first_register = static_cast<std::uint32_t>(table_.registers.size());
  table_.registers.insert(table_.registers.end(), registers_.begin(), registers_.end());
  const auto index = static_cast<std::uint32_t>(table_.rules.size());
  table_.rules.push_back(rule);
  known_.emplace(hash, index);
  return index;
}

bool RuleCompiler::same_registers(const FrameRule& rule) const {
  return std::equal(registers_.begin(), registers_.end(), table_.registers.begin() + rule.first_register);
}

}  // namespace perfsift::symbolize
