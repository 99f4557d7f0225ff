// A vector for many megabytes, in huge pages.
//
// The kernel provides new memory by page faults, each about a quarter of a microsecond for 4 KiB. A table of 100 MB
// takes 25,000 page faults; with huge pages, 50.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <vector>

#include <sys/mman.h>

namespace perfsift {

// Small blocks come from the heap, large blocks use huge pages where the machine has them. Must be freed with
// std::free().
inline void* allocate_in_huge_pages(std::size_t size, std::size_t alignment) {
  constexpr std::size_t huge_page = std::size_t{2} << 20, worth_it = 2 * huge_page;
  constexpr std::size_t most = PTRDIFF_MAX;  // the largest size of any object
  if (size > most - std::max(huge_page, alignment)) throw std::bad_alloc();
  const bool large = size >= worth_it;
  if (large) alignment = std::max(huge_page, alignment);
  // aligned_alloc() needs a multiple of the alignment; malloc() suffices for all types without extended alignment.
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* block = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded) : std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  if (large) madvise(block, rounded, MADV_HUGEPAGE);  // may fail without huge pages, which does no harm
  return block;
}

template <typename T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <typename U>
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (count > ~std::size_t{0} / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_in_huge_pages(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* block, std::size_t) { std::free(block); }

  bool operator==(const HugePageAllocator&) const = default;
};

// HugePageAllocator as a memory resource, for other containers.
class HugePageResource : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return allocate_in_huge_pages(bytes, alignment);
  }
  void do_deallocate(void* block, std::size_t, std::size_t) override { std::free(block); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
inline std::pmr::memory_resource* huge_pages() {
  static HugePageResource resource;
  return &resource;
}

template <typename T>
using LargeVector = std::vector<T, HugePageAllocator<T>>;

// Leaves new values unset.
template <typename T>
struct UnsetAllocator : HugePageAllocator<T> {
  UnsetAllocator() = default;
  template <typename U>
  UnsetAllocator(const UnsetAllocator<U>&) {}

  template <typename U>
  void construct(U*) {
    static_assert(std::is_trivially_copyable_v<U>);
  }
};

// A LargeVector that resize() makes longer without setting the new values: they must be assigned before they are read.
// Several threads can assign them, and the kernel provides each part of the memory to the thread that uses it first.
template <typename T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace perfsift
