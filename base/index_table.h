// An open hash table of indices: it finds which element of the caller's container has a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/large_vector.h"

namespace perfsift {

// Elements have the indices 0, 1, 2, … in the order in which they are added. Their number must be below 2^32 - 1. All
// bits of hashes are used: see mix(). Not thread-safe.
class IndexTable {
 public:
  IndexTable() : slots_(std::size_t{1} << initial_bits, empty) {}

  // The index of an element. `has_key`: whether the element at an index has the key.
  template <typename HasKey>
  std::optional<std::size_t> find(std::uint64_t hash, HasKey&& has_key) const {
    for (std::size_t place = place_of(hash); slots_[place] != empty; place = next_place(place)) {
      if (tag_of(slots_[place]) == tag_of(hash) && has_key(index_in(slots_[place]))) return index_in(slots_[place]);
    }
    return std::nullopt;
  }
  // Adds the next element, whose key is not in the table yet.
  void add(std::uint64_t hash) {
    if (size_ >= slots_.size() / 3 * 2) grow();
    take_slot(tag_of(hash) | size_++);
  }

  // Asks for the memory that find() will need first: for many keys together, before the first of them is looked up.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[place_of(hash)]); }
  // An element that may well have the key.
  std::optional<std::size_t> likely(std::uint64_t hash) const {
    const std::uint64_t slot = slots_[place_of(hash)];
    return slot != empty ? std::optional(index_in(slot)) : std::nullopt;
  }

 private:
  static constexpr unsigned initial_bits = 10;
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  // A slot holds the upper half of a hash, whose uppermost bits give the place in the table, and the index.
  static constexpr std::uint64_t index_bits = ~std::uint32_t{0};
  static std::size_t index_in(std::uint64_t slot) { return slot & index_bits; }
  static std::uint64_t tag_of(std::uint64_t hash_or_slot) { return hash_or_slot & ~index_bits; }

  std::size_t place_of(std::uint64_t hash_or_slot) const { return hash_or_slot >> shift_; }
  std::size_t next_place(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }

  void take_slot(std::uint64_t slot) {
    std::size_t place = place_of(slot);
    while (slots_[place] != empty) place = next_place(place);
    slots_[place] = slot;
  }

  void grow() {
    LargeVector<std::uint64_t> old(slots_.size() * 4, empty);
    old.swap(slots_);
    shift_ -= 2;
    for (const std::uint64_t slot : old) {
      if (slot != empty) take_slot(slot);
    }
  }

  unsigned shift_ = 64 - initial_bits;  // from a hash to its place
  LargeVector<std::uint64_t> slots_;
  std::size_t size_ = 0;  // elements
};

}  // namespace perfsift
