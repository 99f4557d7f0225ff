#include "record/bpf/ring_buffer.h"

#include <algorithm>

#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace perfsift::record {

namespace {

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

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
  void* const consumer = mmap(nullptr, page, rights, MAP_SHARED, file, 0);
  if (consumer == MAP_FAILED) return std::nullopt;
  const std::size_t size = page + 2 * bytes;
  void* const producer = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, static_cast<off_t>(page));
  if (producer == MAP_FAILED) return munmap(consumer, page), std::nullopt;
  RingBuffer ring;
  ring.consumer_ = static_cast<std::byte*>(consumer);
  ring.producer_ = static_cast<const std::byte*>(producer);
  ring.consumer_size_ = page, ring.producer_size_ = size;
  ring.capacity_ = bytes;
  ring.access_ = access;
  ring.position_ = load(ring.consumer_);
  return std::optional<RingBuffer>(std::move(ring));
}

RingBuffer RingBuffer::over(std::span<std::byte> memory, Access access) {
  RingBuffer ring;
  ring.consumer_ = memory.data();
  ring.producer_ = memory.data() + page_size();
  ring.capacity_ = (memory.size() - 2 * page_size()) / 2;
  ring.access_ = access;
  ring.position_ = load(ring.consumer_);
  return ring;
}

RingBuffer::~RingBuffer() {
  if (consumer_size_ != 0) munmap(consumer_, consumer_size_);
  if (producer_size_ != 0) munmap(const_cast<std::byte*>(producer_), producer_size_);
}

RingBuffer& RingBuffer::operator=(RingBuffer&& other) noexcept {
  std::swap(consumer_, other.consumer_);
  std::swap(producer_, other.producer_);
  std::swap(capacity_, other.capacity_);
  std::swap(consumer_size_, other.consumer_size_);
  std::swap(producer_size_, other.producer_size_);
  std::swap(position_, other.position_);
  std::swap(step_, other.step_);
  std::swap(overtaken_, other.overtaken_);
  std::swap(damaged_, other.damaged_);
  std::swap(access_, other.access_);
  return *this;
}

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
