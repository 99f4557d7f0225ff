// A small cache in front of a costly search, for keys that repeat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perfsift {

// Direct-mapped: a hash has one slot, in which the latest key replaces the key before. A hit costs one comparison.
// `slots` is a power of two. Not thread-safe.
template <typename Key, typename Value, std::size_t slots>
class RecentCache {
 public:
  // The value of the key. `make()` makes the value unless the slot has it; `make` must not use the cache. Valid until
  // the next call.
  template <typename Make>
  Value& get(const Key& key, std::uint64_t hash, Make make) {
    static_assert((slots & (slots - 1)) == 0);
    Slot& slot = slots_[hash % slots];
    if (!slot.full || !(slot.key == key)) slot = {.key = key, .value = make(), .full = true};
    return slot.value;
  }

  void clear() { slots_.assign(slots, {}); }

 private:
  struct Slot {
    Key key{};
    Value value{};
    bool full = false;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(slots);
};

}  // namespace perfsift
