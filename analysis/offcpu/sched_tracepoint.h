// The tracepoints of the scheduler (sched:*), and the numbers in their raw data.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/byte_reader.h"

namespace perfsift::offcpu {

enum class SchedKind : std::uint8_t {
  other,    // not a tracepoint of the scheduler
  ignored,  // a tracepoint of the scheduler that adds nothing
  switch_,
  waking,
  wakeup,
  wakeup_new,
  stat_wait,
  stat_sleep,
  stat_runtime,
  fork,
  exec,
  off_cpu_sum,  // not a tracepoint: time off the CPU that BPF added up (perf record --off-cpu)
};

// A tracepoint that tells something, and the names of the fields that tell it. An empty name: there is no such field.
struct SchedTracepoint {
  std::string_view name;  // without "sched:"
  SchedKind kind;
  std::string_view subject;     // the thread that leaves its CPU, is woken, is made, …
  std::string_view value = {};  // a switch: the state of the thread that leaves; a statistic: nanoseconds
  std::string_view other = {};  // a switch: the thread that comes; an exec: the old number of the thread
};

// nullptr for a tracepoint that adds nothing. `name` is without "sched:".
const SchedTracepoint* find_sched_tracepoint(std::string_view name);

// A number in the raw data of a tracepoint.
//
// TracepointFormats::number() does the same for every field. This class reads numbers of four or eight bytes, a million
// times.
class RawField {
 public:
  RawField() = default;
  RawField(std::size_t offset, std::size_t size, bool is_signed, ByteOrder order)
      : offset_(offset), size_(size), is_signed_(is_signed), order_(order) {}

  // Nothing where the raw data is too short, or the field is not such a number.
  // Inlined, as a std::optional of 16 bytes is returned through memory: its flag is written as one byte and read as
  // eight, for which the processor waits.
  [[gnu::always_inline]] std::optional<std::uint64_t> read(Bytes raw) const {
    if (offset_ > raw.size() || size_ > raw.size() - offset_) return std::nullopt;
    ByteReader in(raw.subspan(offset_), order_);
    if (size_ == 8) return in.u64();
    if (size_ != 4) return std::nullopt;
    return is_signed_ ? static_cast<std::uint64_t>(in.i32()) : in.u32();
  }

 private:
  std::size_t offset_ = 0;
  std::size_t size_ = 0;  // 0: there is no such field
  bool is_signed_ = false;
  ByteOrder order_ = ByteOrder::native;
};

// What one event of the scheduler tells. The meaning of the numbers is in SchedTracepoint.
struct SchedEvent {
  SchedKind kind = SchedKind::other;
  std::uint64_t time = 0;  // nanoseconds of the event clock
  std::int32_t cpu = -1;
  std::int32_t pid = -1;  // of the current thread; -1 if the kernel no longer knows it
  std::int32_t tid = -1;
  std::int32_t subject = -1;
  std::uint64_t value = 0;
  std::int32_t other = -1;
};

// Where the numbers of one tracepoint lie in its raw data.
struct SchedLayout {
  RawField subject;
  std::optional<RawField> value;  // nothing: the tracepoint has no such field
  std::optional<RawField> other;

  // Fills the numbers in. False if the raw data does not hold all of them.
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
