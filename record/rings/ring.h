// The ring buffer of an event: memory that the kernel writes and this process reads (struct perf_event_mmap_page in
// include/uapi/linux/perf_event.h).
//
//      data_tail            data_head
//          |                    |
//   ┌──────▼────────────────────▼──────────┐
//   │ free │ records to be read │   free   │     an ordinary ring: the kernel moves the head, the reader the tail.
//   └──────────────────────────────────────┘     A full ring loses new records.
//
//      data_head
//          |
//   ┌──────▼───────────────────────────────┐     an overwritten ring (attr.write_backward) grows downwards: the newest
//   │ older │ newest … older records, with │     record begins at the head, older ones follow up to the end and go on
//   └───────┴──────────────────────────────┘     at the beginning. The oldest record may be overwritten in part.
//
// The memory is shared with the kernel only, but sizes in it are checked like those of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "reader/records/header_records.h"
#include "reader/temporary_file.h"
#include "record/rings/counter.h"
#include "record/rings/pieces.h"

namespace perfsift::record {

// Not thread-safe.
class Ring {
 public:
  enum class Kind : std::uint8_t { ordinary, overwritten };

  // `data_pages`: a power of two. Nothing: mmap() failed, and errno says why. The counter must outlive the ring.
  static std::optional<Ring> map(const Counter& counter, std::size_t data_pages, Kind kind);
  // A ring over memory of somebody else that looks like the kernel's: a page with the positions, and a power of two of
  // pages of data. The memory must outlive the ring and must be aligned like a page.
  static Ring over(std::span<std::byte> memory, Kind kind);

  // The bytes that are there to be read, at most capacity(). Valid until release(). The head is read with acquire
  // semantics.
  Pieces filled() const;
  // Gives the first `size` bytes of filled() back to the kernel (release semantics).
  void release(std::size_t size);

  // An overwritten ring: the bytes that the kernel has written since the ring was mapped.
  std::uint64_t written() const;
  // Its bytes when written() was `written`, the newest record first; the oldest may be overwritten in part. The kernel
  // goes on writing over the oldest bytes: over as many as written() has grown by since, and over those of a record
  // that is not counted before it is whole. (Stopping the output, PERF_EVENT_IOC_PAUSE_OUTPUT, would lose new records
  // instead.)
  Pieces newest_first(std::uint64_t written) const;

  // How the kernel converts the counter of the hardware to times of its own clock. Nothing: the kernel does not say,
  // for example for events with a clock of their own (use_clockid).
  std::optional<reader::TimeConv> time_conversion() const;

  Kind kind() const { return kind_; }
  std::byte* page() const { return page_; }           // of the positions
  std::size_t capacity() const { return capacity_; }  // bytes of data

 private:
  Ring() = default;
  Pieces at(std::uint64_t position, std::size_t size) const;

  std::byte* page_ = nullptr;
  reader::Mapped mapped_;  // empty: memory of somebody else
  std::size_t capacity_ = 0;
  std::uint64_t tail_ = 0;
  Kind kind_ = Kind::ordinary;
};

}  // namespace perfsift::record
