// The tracepoints of the scheduler (sched:*), and the numbers in their raw data.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/byte_reader.h"

namespace perfsift::offcpu {

enum class SchedKind : std::uint8_t {
  other,    // not a tracepoint of the scheduler
  ignored,  // a tracepoint of the scheduler that is not used
  switch_,
  waking,
  wakeup,
  wakeup_new,
  stat_wait,
  stat_sleep,
  stat_runtime,
  fork,
  exec,
  off_cpu_sum,  // not a tracepoint: off-CPU time summed by BPF (perf record --off-cpu)
  measured,     // made tracepoints: see MeasuredFeed
};

// A tracepoint in use, and the names of the fields in use. An empty name: the tracepoint has no such field.
struct SchedTracepoint {
  std::string_view name;  // without "sched:"
  SchedKind kind;
  std::string_view subject;     // the thread that leaves its CPU, is woken, is created, … …
  std::string_view value = {};  // switch: the state of the leaving thread; statistic: nanoseconds
  std::string_view other = {};  // switch: the next thread; exec: the thread's old tid
};

// nullptr for a tracepoint that is not used. `name` is without "sched:".
const SchedTracepoint* find_sched_tracepoint(std::string_view name);

// A number in the raw data of a tracepoint.
//
// TracepointFormats::number() does the same for every field. This class reads only numbers of four or eight bytes, and
// reads them fast.
class RawField {
 public:
  RawField() = default;
  RawField(std::size_t offset, std::size_t size, bool is_signed, ByteOrder order)
      : offset_(offset), size_(size), is_signed_(is_signed), order_(order) {}

  // Nothing where the raw data is too short, or the field is no number of four or eight bytes. Always inlined: a
  // std::optional of 16 bytes would be returned through memory, with its flag written as one byte and read as eight,
  // which stalls the processor.
  [[gnu::always_inline]] std::optional<std::uint64_t> read(Bytes raw) const {
    if (offset_ > raw.size() || size_ > raw.size() - offset_) return std::nullopt;
    if (size_ == 8) return ByteReader(raw.subspan(offset_, 8), order_).u64();
    if (size_ != 4) return std::nullopt;
    const std::uint32_t number = ByteReader(raw.subspan(offset_, 4), order_).u32();
    return is_signed_ ? static_cast<std::uint64_t>(static_cast<std::int32_t>(number)) : number;
  }

 private:
  std::size_t offset_ = 0;
  std::size_t size_ = 0;  // 0: no such field
  bool is_signed_ = false;
  ByteOrder order_ = ByteOrder::native;
};

// The contents of one scheduler event. SchedTracepoint describes the numbers.
struct SchedEvent {
  SchedKind kind = SchedKind::other;
  std::uint64_t time = 0;  // nanoseconds of the event clock
  std::int32_t cpu = -1;
  std::int32_t pid = -1;  // of the current thread; -1 if the kernel no longer finds the thread
  std::int32_t tid = -1;
  std::int32_t subject = -1;
  std::uint64_t value = 0;
  std::int32_t other = -1;
};

// The places of a tracepoint's numbers in its raw data.
struct SchedLayout {
  RawField subject;
  std::optional<RawField> value;  // nothing: the tracepoint has no such field
  std::optional<RawField> other;

  // Fills in the numbers. Returns false if the raw data does not have all of them.
  bool read(Bytes raw, SchedEvent& event) const {
    const auto thread = subject.read(raw);
    if (!thread) return false;
    event.subject = static_cast<std::int32_t>(*thread);
    if (value) {
      const auto number = value->read(raw);
      if (!number) return false;
      event.value = *number;
    }
    if (other) {
      const auto number = other->read(raw);
      if (!number) return false;
      event.other = static_cast<std::int32_t>(*number);
    }
    return true;
  }
};

}  // namespace perfsift::offcpu
