// In which contexts the same address means the same code.
#pragma once

#include <cstdint>

#include "reader/callchain.h"
#include "tools/profile/stack_options.h"

namespace perfsift::tools {

// Everything but the address that decides about its name, as a number that is not 0: for AddressTables. `owner`: of the
// callchain, with `maps`, `kernel_maps` and `code_version`.
template <typename Owner>
std::uint64_t address_context(const Owner& owner, const reader::CallchainPart& part, bool return_address) {
  const bool kernel = is_kernel_mode(part.mode);
  const std::uint64_t version = kernel ? 0 : owner.code_version;
  const std::uint64_t maps = kernel ? owner.kernel_maps : owner.maps;
  const std::uint64_t note = reader::callchain_note::found - part.note;  // 0 to 2
  return version << 39 | maps << 7 | note << 5 | static_cast<std::uint64_t>(part.mode) << 2 | (return_address ? 2 : 0) |
         1;
}

}  // namespace perfsift::tools
