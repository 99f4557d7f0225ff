// A number in a mapped file, at any address.
//
// Records of a recording are usually, but not always, aligned (COMPRESSED records have any size). Reading through
// Unaligned takes one load instruction, as for aligned numbers, and is defined for every address.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace perfsift {

template <typename T>
class Unaligned {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Unaligned() = default;
  Unaligned(T value) { std::memcpy(bytes_, &value, sizeof value); }  // NOLINT(google-explicit-constructor)
  operator T() const {                                               // NOLINT(google-explicit-constructor)
    T value;
    std::memcpy(&value, bytes_, sizeof value);
    return value;
  }

 private:
  std::byte bytes_[sizeof(T)];
};

static_assert(alignof(Unaligned<long long>) == 1);

}  // namespace perfsift
