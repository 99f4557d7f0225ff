// Helpers to compare unwound stacks.
#pragma once

#include <cstdint>
#include <vector>

#include "symbolize/unwind/unwinder.h"

namespace perfsift::test {

// The addresses of a stack, leaf first.
inline std::vector<std::uint64_t> addresses_of(const symbolize::UnwoundStack& stack) {
  std::vector<std::uint64_t> addresses;
  for (const symbolize::Frame& frame : stack.frames) addresses.push_back(frame.address);
  return addresses;
}

}  // namespace perfsift::test
