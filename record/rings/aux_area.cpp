#include "record/rings/aux_area.h"

#include <algorithm>
#include <utility>

#include "base/page_size.h"
#include "record/rings/control_page.h"
#include "record/rings/shared_memory.h"

namespace perfsift::record {

// perf_mmap() in kernel/events/core.c takes the place and the size of the area from the page, which must agree with the
// arguments of mmap(). The area begins behind the data of the ring.
std::optional<AuxArea> AuxArea::map(const Counter& counter, const Ring& ring, std::size_t bytes) {
  perf_event_mmap_page& page = control(ring.page());
  const std::size_t offset = page_size() + ring.capacity();
  page.aux_offset = offset;
  page.aux_size = bytes;
  auto memory = map_shared(counter.fd(), offset, bytes, PROT_READ | PROT_WRITE);
  if (!memory) return std::nullopt;
  AuxArea area = over(ring, memory->writable());
  area.mapped_ = std::move(*memory);
  return area;
}

AuxArea AuxArea::over(const Ring& ring, std::span<std::byte> memory) {
  AuxArea area;
  area.page_ = ring.page();
  area.area_ = memory;
  return area;
}

AuxArea::Unread AuxArea::unread() const {
  const std::uint64_t head = __atomic_load_n(&control(page_).aux_head, __ATOMIC_ACQUIRE);
  const std::uint64_t written = head - tail_;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(written, capacity()));
  const std::uint64_t position = head - size;
  return {.trace = pieces_at(area_, position, size), .position = position, .skipped = written - size};
}

void AuxArea::release(const Unread& read) {
  tail_ = read.position + read.trace.size();
  __atomic_store_n(&control(page_).aux_tail, tail_, __ATOMIC_RELEASE);
}

std::size_t least_aux_bytes() { return std::max<std::size_t>(2 * page_size(), std::size_t{8} << 10); }

}  // namespace perfsift::record
