// The memory that unwinding reads: the sample's copy of the stack, and what else is known.
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
    missing_ = address;
    if (earlier_ == nullptr || (size != 4 && size != 8)) return std::nullopt;
    const auto value = earlier_->read(address, size);
    used_earlier_ |= value.has_value();
    return value;
  }

  bool holds(std::uint64_t address) const { return address - start_ < size_; }
  std::uint64_t end() const { return start_ + size_; }
  std::uint64_t missing() const { return missing_; }   // the last address that was not in the sample's copy
  bool used_earlier() const { return used_earlier_; }  // whether anything came from earlier samples

 private:
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
};

}  // namespace perfsift::symbolize
