// Vectors of many megabytes.
//
// The kernel hands out new memory page by page, at about a quarter of a microsecond for each 4 KiB. A table of 100 MB
// pays for 25,000 such faults; asked for in huge pages, for 50.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory_resource>
#include <new>
#include <vector>

#include <sys/mman.h>

namespace perfsift {

// Small blocks come from the heap, large ones in huge pages where the machine has them.
template <typename T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <typename U>
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (count > (~std::size_t{0} - huge_page) / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t size = count * sizeof(T);
    const bool large = size >= worth_it;
    const std::size_t rounded = (size + huge_page - 1) / huge_page * huge_page;
    void* block = large ? std::aligned_alloc(huge_page, rounded) : std::malloc(size);
    if (block == nullptr) throw std::bad_alloc();
    if (large) madvise(block, rounded, MADV_HUGEPAGE);  // refused where there are none: nothing is lost
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t) { std::free(block); }

  bool operator==(const HugePageAllocator&) const = default;

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  static constexpr std::size_t worth_it = 2 * huge_page;
};

// The same for what is not a vector.
class HugePageResource : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t) override { return HugePageAllocator<std::byte>().allocate(bytes); }
  void do_deallocate(void* block, std::size_t bytes, std::size_t) override {
    HugePageAllocator<std::byte>().deallocate(static_cast<std::byte*>(block), bytes);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
inline std::pmr::memory_resource* huge_pages() {
  static HugePageResource resource;
  return &resource;
}

template <typename T>
using LargeVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace perfsift
