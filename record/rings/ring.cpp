#include "record/rings/ring.h"

#include <algorithm>
#include <utility>

#include "base/page_size.h"
#include "record/rings/control_page.h"
#include "record/rings/shared_memory.h"

namespace perfsift::record {

namespace {

std::uint64_t head_of(std::byte* page) { return __atomic_load_n(&control(page).data_head, __ATOMIC_ACQUIRE); }

}  // namespace

std::optional<Ring> Ring::map(const Counter& counter, std::size_t data_pages, Kind kind) {
  const std::size_t bytes = (1 + data_pages) * page_size();
  // The kernel overwrites unread records only if the reader cannot write the page of positions: ring_buffer_init() in
  // kernel/events/ring_buffer.c.
  const int access = kind == Kind::overwritten ? PROT_READ : PROT_READ | PROT_WRITE;
  auto memory = map_shared(counter.fd(), 0, bytes, access);
  if (!memory) return std::nullopt;
  Ring ring = over(memory->writable(), kind);
  ring.mapped_ = std::move(*memory);
  return ring;
}

Ring Ring::over(std::span<std::byte> memory, Kind kind) {
  Ring ring;
  ring.page_ = memory.data();
  ring.capacity_ = memory.size() - page_size();
  ring.kind_ = kind;
  return ring;
}

Pieces Ring::at(std::uint64_t position, std::size_t size) const {
  return pieces_at({page_ + page_size(), capacity_}, position, size);
}

Pieces Ring::filled() const {
  const std::uint64_t unread = head_of(page_) - tail_;
  return at(tail_, static_cast<std::size_t>(std::min<std::uint64_t>(unread, capacity_)));
}

void Ring::release(std::size_t size) {
  tail_ += size;
  __atomic_store_n(&control(page_).data_tail, tail_, __ATOMIC_RELEASE);
}

// The head of an overwritten ring begins at 0 and is decreased (perf_output_begin_backward()).
std::uint64_t Ring::written() const { return 0 - head_of(page_); }

Pieces Ring::newest_first(std::uint64_t written) const {
  return at(0 - written, static_cast<std::size_t>(std::min<std::uint64_t>(written, capacity_)));
}

// The kernel changes the lock before and after it writes the fields (arch_perf_update_userpage()): perf reads them so
// in perf_read_tsc_conversion() in tools/perf/util/tsc.c. A page that always changes is no page of the kernel.
std::optional<reader::TimeConv> Ring::time_conversion() const {
  constexpr int most_attempts = 10'000;
  const perf_event_mmap_page& page = control(page_);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::uint32_t before = __atomic_load_n(&page.lock, __ATOMIC_ACQUIRE);
    const bool known = page.cap_user_time_zero != 0;
    reader::TimeConv conversion{.shift = page.time_shift, .multiplier = page.time_mult, .zero = page.time_zero};
    conversion.short_counter = reader::TimeConv::ShortCounter{.cycles = page.time_cycles,
                                                              .mask = page.time_mask,
                                                              .has_time_zero = known,
                                                              .has_short_time = page.cap_user_time_short != 0};
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&page.lock, __ATOMIC_RELAXED) != before || before % 2 != 0) continue;
    return known ? std::optional(conversion) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace perfsift::record
