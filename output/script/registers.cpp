#include "output/script/registers.h"

#include <span>

namespace perfsift::output {
namespace {

// By perf's own numbers: enum perf_event_*_regs in arch/*/include/uapi/asm/perf_regs.h.
std::string x86_name(unsigned number) {
  constexpr std::string_view names[] = {"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",  "FLAGS", "CS",  "SS",
                                        "DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13",   "R14", "R15"};
  constexpr unsigned first_xmm = 32;  // each takes two words
  if (number < std::size(names)) return std::string(names[number]);
  return number >= first_xmm ? fmt::format("XMM{}", (number - first_xmm) / 2) : "unknown";
}

std::string arm64_name(unsigned number) {
  if (number < 30) return fmt::format("x{}", number);
  switch (number) {
    case 30:
      return "lr";
    case 31:
      return "sp";
    case 32:
      return "pc";
    case 46:
      return "vg";
    default:
      return "unknown";
  }
}

std::string arm_name(unsigned number) {
  constexpr std::string_view after_r10[] = {"fp", "ip", "sp", "lr", "pc"};
  if (number <= 10) return fmt::format("r{}", number);
  return number <= 15 ? std::string(after_r10[number - 11]) : "unknown";
}

std::string riscv_name(unsigned number) {
  constexpr std::string_view names[] = {"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                        "a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                        "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  return number < std::size(names) ? std::string(names[number]) : "unknown";
}

std::string s390_name(unsigned number) {
  if (number < 16) return fmt::format("R{}", number);
  if (number < 32) return fmt::format("FP{}", number - 16);
  if (number == 32) return "MASK";
  return number == 33 ? "PC" : "unknown";
}

std::string powerpc_name(unsigned number) {
  constexpr std::string_view after_r31[] = {"nip",   "msr",   "orig_r3", "ctr",   "link",  "xer",   "ccr",
                                            "softe", "trap",  "dar",     "dsisr", "sier",  "mmcra", "mmcr0",
                                            "mmcr1", "mmcr2", "mmcr3",   "sier2", "sier3", "pmc1",  "pmc2",
                                            "pmc3",  "pmc4",  "pmc5",    "pmc6",  "sdar",  "siar"};
  if (number < 32) return fmt::format("r{}", number);
  return number - 32 < std::size(after_r31) ? std::string(after_r31[number - 32]) : "unknown";
}

bool is_i386(std::string_view architecture) {
  return architecture.size() == 4 && architecture[0] == 'i' && architecture.ends_with("86");
}

}  // namespace

std::string register_name(std::string_view architecture, unsigned number) {
  if (architecture == "x86_64" || is_i386(architecture)) return x86_name(number);
  if (architecture.starts_with("aarch64") || architecture.starts_with("arm64")) return arm64_name(number);
  if (architecture.starts_with("arm")) return arm_name(number);
  if (architecture.starts_with("riscv")) return riscv_name(number);
  if (architecture.starts_with("s390")) return s390_name(number);
  if (architecture.starts_with("ppc") || architecture.starts_with("powerpc")) return powerpc_name(number);
  return "unknown";
}

void print_registers(TextWriter& out, const reader::Registers& registers, std::string_view architecture) {
  if (registers.abi == 0) return;
  out.text(" ABI:");
  out.decimal(registers.abi);
  out.character(' ');
  for (unsigned number = 0; number < 64; ++number) {
    const auto value = registers.get(number);
    if (!value) continue;
    out.right(register_name(architecture, number), 5);
    out.text(":0x");
    out.hex(*value);
    out.character(' ');
  }
}

}  // namespace perfsift::output
