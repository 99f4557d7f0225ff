// The event to which an id belongs. It is looked up once for every sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "reader/format/event.h"

namespace perfsift::reader {

// A hash table with open addressing: a few ids fit into few cache lines, and finding an id takes no division.
class EventIds {
 public:
  // An id that was given to several events belongs to the first.
  void add(std::uint64_t id, Event& event) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(id)];
    if (slot.event != nullptr) return;
    slot = {.id = id, .event = &event};
    ++count_;
  }

  // nullptr: the id belongs to no event.
  Event* find(std::uint64_t id) const { return slots_.empty() ? nullptr : slots_[place_of(id)].event; }

 private:
  struct Slot {
    std::uint64_t id = 0;
    Event* event = nullptr;
  };

  // The slot of the id, or the empty slot where the id would be put.
  std::size_t place_of(std::uint64_t id) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = (spread(id) >> 32) & mask;
    while (slots_[place].event != nullptr && slots_[place].id != id) place = (place + 1) & mask;
    return place;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.event != nullptr) slots_[place_of(slot.id)] = slot;
    }
  }

  std::vector<Slot> slots_;  // the size is a power of two, at most half of the slots are used
  std::size_t count_ = 0;
};

}  // namespace perfsift::reader
