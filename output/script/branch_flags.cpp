#include "output/script/branch_flags.h"

namespace perfsift::output {
namespace {

// PERF_BR_* and, where the type is PERF_BR_EXTEND_ABI, PERF_BR_NEW_*.
std::string_view branch_type(const reader::BranchEntry& branch, std::string_view architecture) {
  constexpr unsigned extended = 15;
  constexpr std::string_view names[] = {"",         "COND", "UNCOND",  "IND",    "CALL",
                                        "IND_CALL", "RET",  "SYSCALL", "SYSRET", "COND_CALL",
                                        "COND_RET", "ERET", "IRQ",     "SERROR", "NO_TX"};
  constexpr std::string_view new_names[] = {"FAULT_ALGN", "FAULT_DATA", "FAULT_INST"};
  constexpr std::string_view generic[] = {"ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5"};
  constexpr std::string_view arm64[] = {"ARM64_FIQ", "ARM64_DEBUG_HALT", "ARM64_DEBUG_EXIT", "ARM64_DEBUG_INST",
                                        "ARM64_DEBUG_DATA"};
  if (branch.type() != extended) return names[branch.type()];
  const unsigned type = branch.new_type();
  if (type < std::size(new_names)) return new_names[type];
  const unsigned specific = type - std::size(new_names);
  if (specific >= std::size(generic)) return "";
  return architecture == "aarch64" ? arm64[specific] : generic[specific];
}

char prediction(const reader::BranchEntry& branch) {
  if (branch.predicted()) return 'P';
  return branch.mispredicted() ? 'M' : '-';
}

std::string_view speculation(const reader::BranchEntry& branch) {
  constexpr std::string_view names[] = {"-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH", "SPEC_CORRECT_PATH"};
  return names[branch.speculation()];
}

}  // namespace

void print_branch_flags(TextWriter& out, const reader::BranchEntry& branch, analysis::PerfStyle style,
                        std::string_view architecture) {
  const char flags[] = {'/', prediction(branch),         '/', branch.in_transaction() ? 'X' : '-',
                        '/', branch.abort() ? 'A' : '-', '/'};
  out.text({flags, sizeof flags});
  out.decimal(branch.cycles());
  out.character('/');
  out.text(branch_type(branch, architecture));
  if (style == analysis::PerfStyle::newest) {
    out.character('/');
    out.text(speculation(branch));
  }
  out.character(' ');
}

}  // namespace perfsift::output
