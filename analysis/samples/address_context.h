// The context of an address: in one context, equal addresses mean equal code.
#pragma once

#include <cstdint>

#include "analysis/samples/stack_options.h"
#include "reader/callchain.h"

namespace perfsift::analysis {

// A callchain_note of frames as a number from 0 to 3, and back.
constexpr std::uint32_t note_number(std::uint64_t note) {
  return static_cast<std::uint32_t>(reader::callchain_note::found - note);
}
constexpr std::uint64_t note_of(std::uint32_t number) { return reader::callchain_note::found - number; }

// All that decides the name of an address, except the address itself, as a number for AddressTables. Never 0. `owner`:
// the owner of the callchain, with `maps`, `kernel_maps` and `code_version`.
template <typename Owner>
std::uint64_t address_context(const Owner& owner, const reader::CallchainPart& part, bool return_address) {
  const bool kernel = is_kernel_mode(part.mode);
  const std::uint64_t version = kernel ? 0 : owner.code_version;
  const std::uint64_t maps = kernel ? owner.kernel_maps : owner.maps;
  return version << 39 | maps << 7 | note_number(part.note) << 5 | static_cast<std::uint64_t>(part.mode) << 2 |
         (return_address ? 2 : 0) | 1;
}

}  // namespace perfsift::analysis
