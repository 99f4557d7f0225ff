// Memory that looks like the ring buffer of the kernel, and a writer in the kernel's place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <linux/perf_event.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "record/rings/record_sink.h"
#include "tests/support/bytes.h"

namespace perfsift::test {

class FakeRing {
 public:
  FakeRing() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), store_(page_ * 3) {
    const auto address = reinterpret_cast<std::uintptr_t>(store_.data());
    memory_ = std::span(store_).subspan((page_ - address % page_) % page_, page_ * 2);
  }

  std::span<std::byte> memory() const { return memory_; }  // of the ring, whose data are one page
  std::size_t capacity() const { return page_; }
  std::uint64_t tail() const { return control().data_tail; }
  void set_head(std::uint64_t head) { control().data_head = head; }

  // perf_output_begin_forward() and perf_output_begin_backward().
  void write(Bytes record) {
    copy(control().data_head, record);
    control().data_head += record.size();
  }
  void write_backward(Bytes record) {
    const std::uint64_t head = control().data_head - record.size();
    copy(head, record);
    __atomic_store_n(&control().data_head, head, __ATOMIC_RELEASE);
  }

 private:
  perf_event_mmap_page& control() const { return *reinterpret_cast<perf_event_mmap_page*>(memory_.data()); }
  void copy(std::uint64_t position, Bytes record) {
    for (const std::byte byte : record) memory_[page_ + position++ % page_] = byte;
  }

  std::size_t page_;
  std::vector<std::byte> store_;
  std::span<std::byte> memory_;
};

// A sample of `size` bytes whose payload begins with `number`.
inline std::vector<std::byte> numbered_record(std::uint64_t number, std::size_t size) {
  return BytesBuilder().record(PERF_RECORD_SAMPLE, 0, BytesBuilder().u64(number).zeros(size - 16).view()).take();
}

// Keeps the numbers of numbered_record() in the order in which they come.
class NumberSink : public record::RecordSink {
 public:
  void records(std::size_t, Bytes some) override {
    ++calls;
    ByteReader in(some);
    while (in.remaining() != 0) {
      in.skip(6);
      const std::size_t size = in.u16();
      numbers.push_back(in.u64());
      in.skip(size - 16);
    }
    is_whole = is_whole && in.ok();
  }
  void round() override { ++rounds; }

  std::vector<std::uint64_t> numbers;
  std::size_t calls = 0, rounds = 0;
  bool is_whole = true;
};

}  // namespace perfsift::test
