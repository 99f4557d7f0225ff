// -I and --user-regs: the registers of a sample, by perf's names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perfsift::tools {

// "AX BX CX …": the registers that a sample can have on this machine. Empty: not known for this machine.
std::string sampled_register_names();

// The mask of registers such as "ip,SP"; an empty text means all. `option`: for messages. Throws UsageError that says
// which names there are.
std::uint64_t register_mask(std::string_view names, std::string_view option);

}  // namespace perfsift::tools
