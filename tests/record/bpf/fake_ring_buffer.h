// Memory that looks like a BPF_MAP_TYPE_RINGBUF, and a writer in the kernel's place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <linux/bpf.h>
#include <unistd.h>

#include "base/byte_reader.h"

namespace perfsift::test {

class FakeRingBuffer {
 public:
  static constexpr std::uint32_t busy = BPF_RINGBUF_BUSY_BIT, discarded = BPF_RINGBUF_DISCARD_BIT;

  FakeRingBuffer() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), store_(page_ * 5) {
    const auto address = reinterpret_cast<std::uintptr_t>(store_.data());
    memory_ = std::span(store_).subspan((page_ - address % page_) % page_, page_ * 4);
  }

  std::span<std::byte> memory() const { return memory_; }
  std::size_t capacity() const { return page_; }
  std::uint64_t consumer() const { return word_at(0); }
  std::uint64_t producer() const { return word_at(page_); }
  void consume(std::uint64_t position) { set_word(0, position); }
  void set_producer(std::uint64_t position) { set_word(page_, position); }

  // __bpf_ringbuf_reserve() and bpf_ringbuf_commit().
  void write(std::string_view payload, std::uint32_t flags = 0) {
    const std::uint64_t position = producer();
    const auto header = static_cast<std::uint32_t>(payload.size()) | flags;
    copy(position, std::as_bytes(std::span(&header, 1)));
    copy(position + BPF_RINGBUF_HDR_SZ, std::as_bytes(std::span(payload)));
    set_producer(position + (payload.size() + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8);
  }
  void set_flags(std::uint64_t position, std::uint32_t flags) {
    std::uint32_t header = 0;
    std::memcpy(&header, memory_.data() + 2 * page_ + position, sizeof header);
    set_length(position, (header & ~(busy | discarded)) | flags);
  }
  void set_length(std::uint64_t position, std::uint32_t header) {
    copy(position, std::as_bytes(std::span(&header, 1)));
  }
  // The data are there twice.
  void copy(std::uint64_t position, Bytes bytes) {
    for (const std::byte byte : bytes) {
      const std::size_t place = position++ % page_;
      memory_[2 * page_ + place] = memory_[3 * page_ + place] = byte;
    }
  }

 private:
  std::uint64_t word_at(std::size_t place) const {
    std::uint64_t word = 0;
    std::memcpy(&word, memory_.data() + place, sizeof word);
    return word;
  }
  void set_word(std::size_t place, std::uint64_t word) { std::memcpy(memory_.data() + place, &word, sizeof word); }

  std::size_t page_;
  std::vector<std::byte> store_;
  std::span<std::byte> memory_;
};

}  // namespace perfsift::test
