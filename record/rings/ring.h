// The ring buffer of an event: memory that the kernel writes and this process reads (struct perf_event_mmap_page in
// include/uapi/linux/perf_event.h).
//
//      data_tail            data_head
//          |                    |
//   ┌──────▼────────────────────▼──────────┐
//   │ free │ records to be read │   free   │     an ordinary ring: the kernel moves the head, the reader the tail.
//   └──────────────────────────────────────┘     A full ring loses new records.
//
//   An overwritten ring (attr.write_backward) grows downwards and loses old records: the newest record begins at the
//   head, older ones follow. A ring is read while the output is paused.
//
// The memory is shared with the kernel only, but sizes in it are checked like those of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/byte_reader.h"
#include "record/rings/counter.h"

namespace perfsift::record {

// Not thread-safe.
class Ring {
 public:
  enum class Kind : std::uint8_t { ordinary, overwritten };

  // `data_pages`: a power of two. Nothing: mmap() failed, and errno says why.
  static std::optional<Ring> map(const Counter& counter, std::size_t data_pages, Kind kind);
  ~Ring();
  Ring(Ring&& other) noexcept;
  Ring& operator=(Ring&& other) noexcept;

  // The records that are there, in at most two pieces of memory, the second of which begins where the ring wraps: a
  // record may be split between them. Valid until release(). The head is read with acquire semantics.
  struct Pieces {
    Bytes first, second;
    std::size_t size() const { return first.size() + second.size(); }
  };
  Pieces filled() const;
  // Gives the first `size` bytes of filled() back to the kernel (release semantics).
  void release(std::size_t size);

  // An overwritten ring: stops the output (PERF_EVENT_IOC_PAUSE_OUTPUT), gives whole records from the newest to the
  // oldest that is whole, and goes on. The pieces are valid until resume().
  Pieces pause();
  void resume();

  std::size_t capacity() const { return capacity_; }  // bytes of data
  std::size_t unread() const;                         // bytes

 private:
  Ring() = default;
  void* page_ = nullptr;
  std::size_t mapped_ = 0;
  std::size_t capacity_ = 0;
  std::uint64_t tail_ = 0;
  int fd_ = -1;
  Kind kind_ = Kind::ordinary;
};

}  // namespace perfsift::record
