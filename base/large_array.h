// An array for many megabytes whose values are not set at first, so that several threads can fill it, and the kernel
// provides each part of its memory to the thread that fills the part.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <type_traits>

#include "base/large_vector.h"

namespace perfsift {

template <typename T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  // Values must be assigned before they are read.
  explicit LargeArray(std::size_t size) : size_(size), values_(HugePageAllocator<T>().allocate(size)) {}

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return values_.get()[i]; }
  const T& operator[](std::size_t i) const { return values_.get()[i]; }
  operator std::span<const T>() const { return {values_.get(), size_}; }
  std::span<T> all() { return {values_.get(), size_}; }

 private:
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };

  std::size_t size_ = 0;
  std::unique_ptr<T, Free> values_;
};

}  // namespace perfsift
