#include "record/bpf/ring_buffer.h"

#include <algorithm>

#include <linux/bpf.h>

#include "base/page_size.h"
#include "record/rings/shared_memory.h"

namespace perfsift::record {

namespace {

std::uint64_t load(const std::byte* place) {
  return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(place), __ATOMIC_ACQUIRE);
}

std::uint32_t header_at(const std::byte* place) {
  return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(place), __ATOMIC_ACQUIRE);
}

constexpr std::uint64_t rounded_up(std::uint64_t size) { return (size + 7) & ~std::uint64_t{7}; }

}  // namespace

std::optional<RingBuffer> RingBuffer::map(int file, std::size_t bytes, Access access) {
  const std::size_t page = page_size();
  const int rights = access == Access::consume ? PROT_READ | PROT_WRITE : PROT_READ;
  auto consumer = map_shared(file, 0, page, rights);
  if (!consumer) return std::nullopt;
  auto producer = map_shared(file, page, page + 2 * bytes, PROT_READ);
  if (!producer) return std::nullopt;
  RingBuffer ring(consumer->writable().data(), producer->bytes().data(), bytes, access);
  ring.mapped_consumer_ = std::move(*consumer);
  ring.mapped_producer_ = std::move(*producer);
  return ring;
}

RingBuffer RingBuffer::over(std::span<std::byte> memory, Access access) {
  const std::size_t page = page_size();
  return {memory.data(), memory.data() + page, (memory.size() - 2 * page) / 2, access};
}

RingBuffer::RingBuffer(std::byte* consumer, const std::byte* producer, std::size_t capacity, Access access)
    : consumer_(consumer), producer_(producer), capacity_(capacity), position_(load(consumer)), access_(access) {}

// The kernel writes at most the whole ring behind the position of the reader who gives room back.
bool RingBuffer::is_overwritten() const { return access_ == Access::peek && load(producer_) - position_ > capacity_; }

void RingBuffer::skip_to_reader() {
  const std::uint64_t reader = load(consumer_);
  overtaken_ += reader - position_;
  position_ = reader;
}

std::optional<Bytes> RingBuffer::next() {
  const std::byte* const data = producer_ + page_size();
  for (;;) {
    if (is_overwritten()) skip_to_reader();
    const std::uint64_t unread = load(producer_) - position_;
    if (unread < BPF_RINGBUF_HDR_SZ || unread > capacity_) return std::nullopt;
    const std::byte* const record = data + (position_ & (capacity_ - 1));
    const std::uint32_t header = header_at(record);
    if ((header & BPF_RINGBUF_BUSY_BIT) != 0) return std::nullopt;
    const std::uint32_t size = header & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
    step_ = rounded_up(std::uint64_t{size} + BPF_RINGBUF_HDR_SZ);
    if (step_ > unread) {  // no kernel writes this; while peeking, the header may be overwritten
      if (is_overwritten()) continue;
      damaged_ += unread;
      step_ = unread;
      release();
      return std::nullopt;
    }
    if ((header & BPF_RINGBUF_DISCARD_BIT) == 0) return Bytes(record + BPF_RINGBUF_HDR_SZ, size);
    release();
  }
}

bool RingBuffer::release() {
  if (is_overwritten()) return skip_to_reader(), false;
  position_ += step_;
  if (access_ == Access::consume)
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(consumer_), position_, __ATOMIC_RELEASE);
  return true;
}

}  // namespace perfsift::record
