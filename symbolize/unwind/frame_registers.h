// The registers of a frame, by their DWARF numbers. Some may be unknown.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "symbolize/unwind/architecture.h"

namespace perfsift::symbolize {

class FrameRegisters {
 public:
  bool known(unsigned number) const { return (known_ >> number & 1) != 0; }
  // 0, or an old value, if the register is unknown. Numbers are below max_registers.
  std::uint64_t operator[](unsigned number) const { return values_[number]; }
  std::optional<std::uint64_t> get(std::uint64_t number) const {
    if (number >= max_registers || !known(static_cast<unsigned>(number))) return std::nullopt;
    return values_[number];
  }
  void set(unsigned number, std::uint64_t value) {
    values_[number] = value;
    known_ |= std::uint64_t{1} << number;
  }
  void forget(unsigned number) { known_ &= ~(std::uint64_t{1} << number); }
  void forget_all() { known_ = 0; }

 private:
  std::array<std::uint64_t, max_registers> values_{};
  std::uint64_t known_ = 0;
};

}  // namespace perfsift::symbolize
