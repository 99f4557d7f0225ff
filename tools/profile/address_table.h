// What each distinct address was named, so that it is named once.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/profile/frame_namer.h"

namespace perfsift::tools {

// A hash table. Not thread-safe.
class AddressTable {
 public:
  AddressTable() : slots_(initial_slots) {}

  // The name of `ip` in the context that `tag` stands for (address space, mode, return address or not); `name()` is
  // called when it is not known yet.
  template <typename Name>
  FrameNamer::Named find(std::uint64_t ip, std::uint64_t tag, Name&& name) {
    Slot& slot = slot_of(ip, tag);
    if (slot.used) return slot.named;
    slot = {.ip = ip, .tag = tag, .named = name(), .used = true};
    const FrameNamer::Named named = slot.named;
    if (++used_ * 2 > slots_.size()) grow();
    return named;
  }

 private:
  static constexpr std::size_t initial_slots = std::size_t{1} << 12;
  struct Slot {
    std::uint64_t ip = 0;
    std::uint64_t tag = 0;
    FrameNamer::Named named;
    bool used = false;
  };

  Slot& slot_of(std::uint64_t ip, std::uint64_t tag) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = ((ip ^ tag * 0x9e3779b97f4a7c15) * 0xe7037ed1a0b428db >> 20) & mask;
    while (slots_[i].used && (slots_[i].ip != ip || slots_[i].tag != tag)) i = (i + 1) & mask;
    return slots_[i];
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.used) slot_of(slot.ip, slot.tag) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace perfsift::tools
