// A small cache for the answers to addresses, where one answer holds for a range of addresses.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace perfsift {

// Direct-mapped, with a table for each size of range: an address looks in the slot of its 8 bytes, its page, its 2 MB
// and its 1 GB. `Space` distinguishes equal addresses of different meaning, and has a hash(). Not thread-safe.
template <typename Space, typename Value>
class RecentRanges {
 public:
  // The value of the range around the address; nullptr: not known here.
  Value* find(const Space& space, std::uint64_t address) const {
    const std::uint64_t hash = space.hash();
    for (std::size_t size = 0; size < sizes.size(); ++size) {
      const Slot& slot = slots_[slot_of(size, hash, address)];
      if (slot.value != nullptr && address >= slot.first && address < slot.end && slot.space == space)
        return slot.value;
    }
    return nullptr;
  }

  // `address` is in the range. The value must live until clear().
  void add(const Space& space, std::uint64_t address, std::uint64_t first, std::uint64_t end, Value& value) {
    std::size_t size = 0;
    while (size + 1 < sizes.size() && end - first < std::uint64_t{1} << sizes[size]) ++size;
    slots_[slot_of(size, space.hash(), address)] = {.space = space, .first = first, .end = end, .value = &value};
  }

  void clear() { slots_.assign(sizes.size() * slots_of_size, {}); }

 private:
  struct Slot {
    Space space{};
    std::uint64_t first = 0, end = 0;
    Value* value = nullptr;
  };
  static constexpr std::array<unsigned, 4> sizes = {30, 21, 12, 3};  // by the number of bits
  static constexpr std::size_t slots_of_size = 2048;

  static std::size_t slot_of(std::size_t size, std::uint64_t hash, std::uint64_t address) {
    constexpr unsigned bits = std::countr_zero(slots_of_size);
    return size * slots_of_size + (spread(hash ^ address >> sizes[size]) >> (64 - bits));
  }

  std::vector<Slot> slots_ = std::vector<Slot>(sizes.size() * slots_of_size);
};

}  // namespace perfsift
