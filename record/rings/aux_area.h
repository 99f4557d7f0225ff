// The AUX area of a ring: memory into which the hardware of one PMU writes its trace (struct perf_event_mmap_page in
// include/uapi/linux/perf_event.h).
//
//        aux_tail             aux_head
//          |                    |
//   ┌──────▼────────────────────▼──────────┐   The hardware moves the head by any number of bytes, the reader the tail.
//   │ free │ trace to be read   │   free   │   A full area loses trace: the kernel stops the event and sets TRUNCATED
//   └──────────────────────────────────────┘   in an AUX record of the ring.
//
// Both positions lie in the page of the ring, and only grow. The memory is shared with the kernel only, but positions
// in it are checked like those of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "record/rings/counter.h"
#include "record/rings/pieces.h"
#include "record/rings/ring.h"

namespace perfsift::record {

// Not thread-safe.
class AuxArea {
 public:
  // The area of an event that writes its trace there, beside the ring into which the event writes its records. `bytes`:
  // a power of two of pages. Nothing: mmap() failed, and errno says why. `ring` may move, but its memory must outlive
  // the area.
  static std::optional<AuxArea> map(const Counter& counter, const Ring& ring, std::size_t bytes);
  // An area over memory of somebody else, whose positions are in the page of `ring`. `memory`: a power of two of bytes.
  static AuxArea over(const Ring& ring, std::span<std::byte> memory);

  struct Unread {
    Pieces trace;                // at most capacity() bytes; valid until release()
    std::uint64_t position = 0;  // of the first byte, in all the trace that the hardware has written
    std::uint64_t skipped = 0;   // bytes before it that are gone; always 0 unless memory is damaged
  };
  // The head is read with acquire semantics.
  Unread unread() const;
  // Gives what unread() gave back to the kernel (release semantics). The kernel does not continue an event that it has
  // stopped because the area was full: Counter::enable() does.
  void release(const Unread& read);

  std::size_t capacity() const { return area_.size(); }  // bytes

 private:
  AuxArea() = default;

  std::byte* page_ = nullptr;  // of the ring
  Bytes area_;
  reader::Mapped mapped_;  // empty: memory of somebody else
  std::uint64_t tail_ = 0;
};

// The least size that PMUs accept: arm_spe_pmu_setup_aux() in drivers/perf/arm_spe_pmu.c needs two pages, and
// arm_spe_recording_options() in tools/perf/arch/arm64/util/arm-spe.c 8 KiB.
std::size_t least_aux_bytes();

}  // namespace perfsift::record
