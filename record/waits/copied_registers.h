// The registers in copies of stacks: the order of the kernel's struct pt_regs, and that of perf.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "record/waits/programs/wait_types.h"

namespace perfsift::record {

// For BPF programs: how many words there are, and which of them is the stack pointer. 0: not known for the machine that
// perfsift was built for.
std::uint32_t kernel_registers();
std::uint32_t kernel_stack_pointer();

struct CopiedRegisters {
  std::uint64_t abi = 0;  // PERF_SAMPLE_REGS_ABI_*
  std::vector<std::uint64_t> values;
};

// The registers of unwind_registers(), in perf's order.
CopiedRegisters in_order_of_perf(std::span<const __u64, WAIT_REGISTERS_ARM64> kernel);

}  // namespace perfsift::record
