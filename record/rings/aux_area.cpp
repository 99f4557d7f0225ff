#include "record/rings/aux_area.h"

#include <algorithm>
#include <utility>

#include <sys/mman.h>

#include "record/rings/control_page.h"

namespace perfsift::record {

// perf_mmap() in kernel/events/core.c takes the place and the size of the area from the page, which must agree with the
// arguments of mmap(). The area begins behind the data of the ring.
std::optional<AuxArea> AuxArea::map(const Counter& counter, const Ring& ring, std::size_t bytes) {
  perf_event_mmap_page& page = control(ring.page());
  const std::size_t offset = page_size() + ring.capacity();
  page.aux_offset = offset;
  page.aux_size = bytes;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, counter.fd(), static_cast<off_t>(offset));
  if (memory == MAP_FAILED) return std::nullopt;
  AuxArea area = over(ring, {static_cast<std::byte*>(memory), bytes});
  area.mapped_ = true;
  return std::optional<AuxArea>(std::move(area));
}

AuxArea AuxArea::over(const Ring& ring, std::span<std::byte> memory) {
  AuxArea area;
  area.page_ = ring.page();
  area.area_ = memory.data();
  area.capacity_ = memory.size();
  return area;
}

AuxArea::~AuxArea() {
  if (mapped_) munmap(area_, capacity_);
}

AuxArea::AuxArea(AuxArea&& other) noexcept { *this = std::move(other); }

AuxArea& AuxArea::operator=(AuxArea&& other) noexcept {
  std::swap(page_, other.page_);
  std::swap(area_, other.area_);
  std::swap(capacity_, other.capacity_);
  std::swap(tail_, other.tail_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

AuxArea::Unread AuxArea::unread() const {
  const std::uint64_t head = __atomic_load_n(&control(page_).aux_head, __ATOMIC_ACQUIRE);
  const std::uint64_t written = head - tail_;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(written, capacity_));
  const std::uint64_t position = head - size;
  const auto begin = static_cast<std::size_t>(position & (capacity_ - 1));
  const std::size_t in_first = std::min(size, capacity_ - begin);
  return {.trace = {Bytes(area_ + begin, in_first), Bytes(area_, size - in_first)},
          .position = position,
          .skipped = written - size};
}

void AuxArea::release(const Unread& read) {
  tail_ = read.position + read.trace.size();
  __atomic_store_n(&control(page_).aux_tail, tail_, __ATOMIC_RELEASE);
}

std::size_t least_aux_bytes() { return std::max<std::size_t>(2 * page_size(), std::size_t{8} << 10); }

}  // namespace perfsift::record
