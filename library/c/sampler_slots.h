// Samplers by their handles, for signal handlers: the table of all handles has a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include <sched.h>

#include "library/c/objects.h"

namespace perfsift::v0::detail {

// Thread-safe and, but for remove(), async-signal-safe. A handle is compared, and followed only while it is in the
// table.
class SamplerSlots {
 public:
  static SamplerSlots& all() {
    static constinit SamplerSlots slots;
    return slots;
  }

  // False: all slots are in use.
  bool add(perfsift_sampler* handle) noexcept {
    for (Slot& slot : slots_) {
      perfsift_sampler* none = nullptr;
      if (slot.handle.compare_exchange_strong(none, handle)) return true;
    }
    return false;
  }

  // Calls use(Sampler&) while remove() waits. False: the handle is not in the table.
  template <typename Use>
  bool with(const perfsift_sampler* handle, Use&& use) noexcept {
    for (Slot& slot : slots_) {
      if (handle == nullptr || slot.handle != handle) continue;
      ++slot.users;
      perfsift_sampler* const found = slot.handle;  // remove() looks at `users` after it has changed `handle`
      if (found == handle) use(found->sampler);
      --slot.users;
      return found == handle;
    }
    return false;
  }

  // Returns when nobody uses the sampler any more. False: another call has removed the handle, or it never was there.
  bool remove(const perfsift_sampler* handle) noexcept {
    for (Slot& slot : slots_) {
      perfsift_sampler* found = slot.handle;
      if (handle == nullptr || found != handle || !slot.handle.compare_exchange_strong(found, nullptr)) continue;
      // In a child of fork(), threads that used the sampler do not exist.
      while (slot.users != 0 && !found->sampler.is_inert()) sched_yield();
      return true;
    }
    return false;
  }

 private:
  struct Slot {
    std::atomic<perfsift_sampler*> handle = nullptr;
    std::atomic<unsigned> users = 0;
  };
  std::array<Slot, 1024> slots_;
};

}  // namespace perfsift::v0::detail
