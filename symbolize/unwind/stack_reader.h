// The memory that unwinding reads: the sample's copy of the stack, and other sources.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "symbolize/unwind/unwinder.h"

namespace perfsift::symbolize {

class StackReader {
 public:
  StackReader(const UserState& state, std::uint64_t start, unsigned word)
      : bytes_(state.stack.data()), size_(state.stack.size()), start_(start), earlier_(state.earlier), word_(word) {}

  // A word of the architecture.
  std::optional<std::uint64_t> word(std::uint64_t address) { return read(address, word_); }

  // `size`: 1 to 8 bytes.
  std::optional<std::uint64_t> read(std::uint64_t address, unsigned size) {
    const std::uint64_t offset = address - start_;
    if (offset < size_ && size_ - offset >= size) [[likely]] {
      if (size == 8) return load<std::uint64_t>(offset);
      if (size == 4) return load<std::uint32_t>(offset);
      std::uint64_t value = 0;
      std::memcpy(&value, bytes_ + offset, size);
      return value;
    }
    return read_elsewhere(address, size);
  }

  // Whether a word above the sample's copy was wanted, and no other source had it.
  bool ran_out() const { return ran_out_; }
  bool holds(std::uint64_t address) const { return address - start_ < size_; }
  std::uint64_t end() const { return start_ + size_; }
  std::uint64_t missing() const { return missing_; }   // the last address that was not in the sample's copy
  bool used_earlier() const { return used_earlier_; }  // whether anything came from earlier samples

 private:
  // Memory below the stack pointer is free, even if an earlier sample has a copy of it: an epilogue has restored the
  // registers that were saved there.
  std::optional<std::uint64_t> read_elsewhere(std::uint64_t address, unsigned size) {
    const bool asked = earlier_ != nullptr && address >= start_ && (size == 4 || size == 8);
    const auto value = asked ? earlier_->read(address, size) : std::nullopt;
    if (value) {
      used_earlier_ = true;
    } else {
      missing_ = address;
      ran_out_ |= address >= end();
    }
    return value;
  }

  template <typename T>
  T load(std::uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes_ + offset, sizeof value);
    return value;
  }

  const std::byte* bytes_;
  std::uint64_t size_;
  std::uint64_t start_;
  const OtherStack* earlier_;
  unsigned word_;
  std::uint64_t missing_ = 0;
  bool used_earlier_ = false;
  bool ran_out_ = false;
};

}  // namespace perfsift::symbolize
