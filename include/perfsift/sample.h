/// \file
/// Samples: moments of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <perfsift/export.h>
#include <perfsift/symbolizer.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
class SampleView;
struct Access;
}  // namespace detail

/// An event that was measured: perf_event_attr, and what perf knows about it. (perf calls this an evsel.)
struct Event {
  std::uint32_t index = 0;        ///< In Recording::events().
  std::string name;               ///< As perf shows it: "cycles:u", "sched:sched_switch".
  std::uint32_t type = 0;         ///< perf_event_attr.type, PERF_TYPE_*.
  std::uint64_t config = 0;       ///< perf_event_attr.config.
  std::uint64_t period = 0;       ///< Occurrences per sample; 0: a frequency was asked for.
  std::uint64_t frequency = 0;    ///< Samples per second that were asked for; 0: a period was.
  std::uint64_t sample_type = 0;  ///< perf_event_attr.sample_type: which fields samples have, PERF_SAMPLE_*.
  bool has_callchain = false;     ///< Whether samples have a callchain.
};

/// The mode of the CPU: PERF_RECORD_MISC_CPUMODE_MASK.
enum class CpuMode : std::uint8_t {
  unknown,       ///< PERF_RECORD_MISC_CPUMODE_UNKNOWN
  kernel,        ///< PERF_RECORD_MISC_KERNEL
  user,          ///< PERF_RECORD_MISC_USER
  hypervisor,    ///< PERF_RECORD_MISC_HYPERVISOR
  guest_kernel,  ///< PERF_RECORD_MISC_GUEST_KERNEL
  guest_user,    ///< PERF_RECORD_MISC_GUEST_USER
};

/// An address of a stack, without a name.
struct Address {
  std::uint64_t ip = 0;             ///< As recorded or unwound.
  CpuMode mode = CpuMode::unknown;  ///< By the context markers of the callchain.
  bool return_address = false;      ///< The call is the instruction before the address.
};

/// A field of a tracepoint: nothing, a number (its bits; signed numbers are sign-extended), or text.
using FieldValue = std::variant<std::monostate, std::uint64_t, std::string>;

/// A sample: a view that is valid until the function that got it returns. Spans and texts live as long, unless a
/// function says otherwise.
///
/// An absent std::optional means that the field was not recorded: the event has no such bit in sample_type. The layout
/// is that of perf_output_sample() in the kernel, the defaults are those of evsel__parse_sample() in perf.
///
/// Thread-safety: belongs to the thread of the call. Errors: only stack() and callchain() may throw, Error (memory).
class PERFSIFT_API Sample {
 public:
  /// Lives as long as the Recording.
  const Event& event() const noexcept;
  /// Nanoseconds of the event clock (perf record -k chooses it, by default sched_clock()).
  std::optional<std::uint64_t> time() const noexcept;
  /// The process; -1: not recorded.
  std::int32_t pid() const noexcept;
  /// The thread; -1: not recorded.
  std::int32_t tid() const noexcept;
  /// -1: not recorded.
  std::int32_t cpu() const noexcept;
  /// The name of the thread at this moment, as perf prints it: ":1234" if no name was recorded. Lives as long as the
  /// Recording.
  std::string_view comm() const;
  /// The instruction.
  std::optional<std::uint64_t> ip() const noexcept;
  /// The mode of the instruction.
  CpuMode mode() const noexcept;
  /// The weight of the sample in `perfsift fold`: the period, or 1 without a period.
  std::uint64_t weight() const noexcept;
  /// Occurrences of the event since the sample before; of a sample that reads counters, the difference to the sample
  /// before.
  std::uint64_t period() const noexcept;
  /// PERF_SAMPLE_ADDR: an address of data, the target of a branch, or another address that the event records.
  std::optional<std::uint64_t> addr() const noexcept;
  /// PERF_SAMPLE_WEIGHT, and the first part of PERF_SAMPLE_WEIGHT_STRUCT: for memory events, cycles.
  std::optional<std::uint64_t> latency() const noexcept;
  /// PERF_SAMPLE_DATA_SRC: union perf_mem_data_src as it is.
  std::optional<std::uint64_t> data_source() const noexcept;
  /// PERF_SAMPLE_PHYS_ADDR.
  std::optional<std::uint64_t> physical_address() const noexcept;
  /// The second part of PERF_SAMPLE_WEIGHT_STRUCT: cycles of the whole instruction.
  std::optional<std::uint64_t> instruction_latency() const noexcept;
  /// PERF_SAMPLE_DATA_PAGE_SIZE: of the page that addr() is in, in bytes.
  std::optional<std::uint64_t> data_page_size() const noexcept;
  /// PERF_SAMPLE_CGROUP: the number of the control group.
  std::optional<std::uint64_t> cgroup() const noexcept;
  /// PERF_SAMPLE_RAW: the data of a tracepoint, with the kernel's padding.
  std::span<const std::byte> raw() const noexcept;
  /// The field of the sample's tracepoint: `field("prev_comm")`. Nothing if the event has no such field. Arrays of
  /// numbers are text.
  FieldValue field(std::string_view name) const;

  /// The stack, leaf first, named, inlined calls included. The leaf is the instruction at ip(), also where a precise
  /// event has a callchain that begins some instructions later. The callers are from the callchain, from the copy of
  /// the stack (perf record --call-graph dwarf) or from the branches (--call-graph lbr). Without any of these the
  /// sample's ip. The span lives until the next sample of this thread, its texts as long as the Recording. Computed on
  /// first use.
  std::span<const Frame> stack() const;
  /// The stack without names and inlined calls. The span lives until the next sample of this thread.
  std::span<const Address> callchain() const;
  /// Whether outer frames are missing: the copy of the stack, or the frame limit, was too small.
  bool is_truncated() const;

 private:
  friend struct detail::Access;
  explicit Sample(detail::SampleView& view) noexcept : view_(&view) {}
  detail::SampleView* view_;
};

}  // namespace PERFSIFT_NAMESPACE
