// Copies arrays into memory that is freed all at once.
#pragma once

#include <cstring>
#include <memory_resource>
#include <span>
#include <type_traits>

namespace perfsift {

// The copy lives until `memory` is released.
template <typename T>
std::span<const T> copy_span(std::span<const T> items, std::pmr::memory_resource& memory) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (items.empty()) return {};
  void* const copy = memory.allocate(items.size_bytes(), alignof(T));
  std::memcpy(copy, items.data(), items.size_bytes());
  return {static_cast<const T*>(copy), items.size()};
}

}  // namespace perfsift
