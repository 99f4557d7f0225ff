// A vector whose elements keep their addresses while it grows.
//
// From time to time std::vector moves all elements to twice the memory: for 100 MB the kernel then clears 200 MB, which
// costs more than using them. std::deque never moves its elements, but its blocks have only 512 bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/large_vector.h"

namespace perfsift {

// Grows by blocks, each twice as large as the block before; large blocks use huge pages. One thread may append while
// other threads use elements that it has published to them.
template <typename T>
class StableVector {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  class Iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const StableVector* vector, std::size_t at) : vector_(vector), at_(at) {}
    const T& operator*() const { return (*vector_)[at_]; }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return {vector_, at_++}; }
    bool operator==(const Iterator&) const = default;

   private:
    const StableVector* vector_ = nullptr;
    std::size_t at_ = 0;
  };

  StableVector() = default;
  StableVector(const StableVector&) = delete;
  StableVector& operator=(const StableVector&) = delete;
  ~StableVector() {
    for (std::size_t block = 0; block < blocks_.size() && blocks_[block] != nullptr; ++block) {
      allocator_.deallocate(blocks_[block], size_of(block));
    }
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return *place_of(i); }
  const T& operator[](std::size_t i) const { return *place_of(i); }
  T& back() { return *place_of(size_ - 1); }
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

  T& push_back(const T& value) {
    const std::size_t block = block_of(size_);
    if (blocks_[block] == nullptr) blocks_[block] = allocator_.allocate(size_of(block));
    T* const place = std::construct_at(place_of(size_), value);
    ++size_;
    return *place;
  }
  void pop_back() { --size_; }
  // Keeps the memory.
  void clear() { size_ = 0; }

 private:
  static constexpr unsigned first_bits = 6;  // log2 of the number of elements in the first block
  static constexpr std::size_t first_size = std::size_t{1} << first_bits;

  // Block b begins with element first_size * (2^b - 1).
  static std::size_t block_of(std::size_t i) {
    return static_cast<std::size_t>(std::bit_width(i + first_size)) - 1 - first_bits;
  }
  static std::size_t size_of(std::size_t block) { return first_size << block; }
  T* place_of(std::size_t i) const {
    const std::size_t block = block_of(i);
    return blocks_[block] + (i + first_size - size_of(block));
  }

  [[no_unique_address]] HugePageAllocator<T> allocator_;
  std::array<T*, 64 - first_bits> blocks_{};
  std::size_t size_ = 0;
};

}  // namespace perfsift
