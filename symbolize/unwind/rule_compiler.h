// Compiles CFI into a RuleTable.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "symbolize/unwind/cfi_program.h"
#include "symbolize/unwind/rule_table.h"

namespace perfsift::symbolize {

// Collects the rules of functions. Each distinct rule is kept once. Not thread-safe.
class RuleCompiler {
 public:
  // Addresses in the table count from `base`; addresses 4 GiB or more above it are left out.
  RuleCompiler(const ArchitectureFacts& architecture, std::uint64_t base) : architecture_(architecture), base_(base) {}

  // Adds the rules of one function, in [fde.start, end). Functions must come in ascending order.
  void add(const Fde& fde, std::uint64_t end, const CfiSection& section);
  RuleTable take();

 private:
  void add_row(std::uint64_t start, std::uint32_t rule);
  std::uint32_t rule_of(const FrameState& state, const Cie& cie);
  std::optional<FrameState> without_words_of_plt(const FrameState& state, unsigned return_register) const;
  bool compile_cfa(const FrameState& state, FrameRule& rule);
  bool compile_registers(const FrameState& state, FrameRule& rule);
  bool compile_register(const FrameState::Rule& from, RegisterRule& to);
  bool keep_expression(Bytes expression, std::int32_t& start, std::uint16_t& size);
  std::uint32_t intern(FrameRule rule);
  bool same_registers(const FrameRule& rule) const;

  const ArchitectureFacts& architecture_;
  std::uint64_t base_;
  // The table while it grows.
  struct {
    std::vector<RuleRow> rows;
    std::vector<FrameRule> rules;
    std::vector<RegisterRule> registers;
    std::vector<std::byte> expressions;
  } table_;
  std::vector<RegisterRule> registers_;                          // of the rule that is being made
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_;  // by hash: indices into table_.rules
};

}  // namespace perfsift::symbolize
