/// \file
/// Payloads that BPF programs send to user space, through a perf event array or a ring buffer.
///
/// ```cpp
/// PayloadReader reader({.map = "/sys/fs/bpf/events"});
/// for (int second = 0; second < 10; ++second) {
///   reader.wait(std::chrono::seconds(1));
///   for (const Payload& payload : reader.take()) std::printf("%lu ns\n", payload.number("latency").value_or(0));
/// }
/// for (const PayloadCounts& counts : reader.counts()) std::printf("%lu lost\n", counts.lost.value_or(0));
/// ```
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <perfsift/export.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
class PayloadReaderState;
struct PayloadsState;
struct PayloadTypeState;
struct Access;
}  // namespace detail

/// Which map is read, and how.
struct PayloadOptions {
  /// A path in the BPF file system (anything with a slash), "id:17", or the name of a map.
  std::string map = {};
  /// A map that this process has open, such as bpf_map__fd() gives it, instead of `map`. It is duplicated. -1: none.
  int descriptor = -1;
  /// The struct that a payload is: "event". Empty: the only struct of the map's programs that has the size of the first
  /// payload.
  std::string type = {};
  /// Of each ring of a perf event array, rounded up to a power of two of pages.
  std::size_t ring_bytes = std::size_t{1} << 20;
  /// Although another process reads the map, which gets no payloads any more.
  bool take_over = false;
  /// Beside another process that reads a ring buffer: payloads are seen, and stay for the other. Not of a perf event
  /// array.
  bool peek = false;
};

/// How the bytes of a field are read.
enum class PayloadForm : std::uint8_t {
  number,   ///< A whole number, also an enumeration or a bit field.
  truth,    ///< `bool`.
  address,  ///< A pointer.
  text,     ///< An array of `char`.
  numbers,  ///< An array of whole numbers.
  bytes,    ///< What is too large or too deep for fields of its own.
};

/// A field of the type that payloads have. The member `x` of the member `from` is the field `from_x`, the first element
/// of an array of structs is `hops_0_x`.
struct PayloadField {
  std::string name;                        ///< An identifier of C; different for each field.
  PayloadForm form = PayloadForm::number;  ///< How it is read.
  std::size_t offset = 0;                  ///< In the payload, in bytes.
  std::size_t size = 0;                    ///< In bytes; of a bit field: of the bytes that have the bits.
  bool is_signed = false;                  ///< Of numbers.
  std::vector<std::pair<std::int64_t, std::string>> names;  ///< The values of an enumeration.
};

/// What one ring has given. The rings of a perf event array are those of the CPUs.
struct PayloadCounts {
  std::int32_t cpu = -1;       ///< The CPU; -1: of all CPUs (a ring buffer).
  std::uint64_t received = 0;  ///< Payloads that take() has given.
  /// Payloads for which the ring had no room. Nothing: the kernel does not count them (ring buffers); only the program
  /// knows.
  std::optional<std::uint64_t> lost;
  std::uint64_t overwritten = 0;  ///< Bytes that were overwritten before they were peeked at.
  std::uint64_t damaged = 0;      ///< Bytes that are no payloads; always 0 unless memory is damaged.
  std::uint64_t cut = 0;          ///< Of `received`: those whose end is missing, because they are longer than 64 KiB.
};

/// A payload. Lives as long as the Payloads that it is of, as do its bytes.
///
/// Thread-safety: objects are immutable.
class PERFSIFT_API Payload {
 public:
  /// Nanoseconds of CLOCK_MONOTONIC, as bpf_ktime_get_ns() gives them: when it was sent; of a ring buffer, when it was
  /// read.
  std::uint64_t time() const noexcept { return time_; }
  /// The process that the program ran in; -1: not recorded (ring buffers).
  std::int32_t pid() const noexcept { return pid_; }
  /// The thread that the program ran in; -1: not recorded (ring buffers).
  std::int32_t tid() const noexcept { return tid_; }
  /// -1: not recorded (ring buffers).
  std::int32_t cpu() const noexcept { return cpu_; }
  /// The payload. The kernel pads payloads up to the next word; with a type, the padding is left out.
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  // The fields of the payload by their names: see PayloadReader::fields(). Nothing, or an empty result, if there is no
  // such field, the field is of another form, or the payload is too short for it.

  /// A number, a truth (0 and 1) or an address; signed numbers are sign-extended. Errors: none.
  std::optional<std::uint64_t> number(std::string_view name) const noexcept;
  /// A text, up to its first NUL. Lives as long as the payload. Errors: none.
  std::optional<std::string_view> text(std::string_view name) const noexcept;
  /// An array of numbers; signed numbers are sign-extended. Throws Error (memory).
  std::vector<std::uint64_t> numbers(std::string_view name) const;
  /// The bytes of a field of any form. Lives as long as the payload. Errors: none.
  std::span<const std::byte> bytes(std::string_view name) const noexcept;

 private:
  friend struct detail::Access;
  Payload() = default;

  std::uint64_t time_ = 0;
  std::int32_t pid_ = -1, tid_ = -1, cpu_ = -1;
  std::span<const std::byte> bytes_;
  const detail::PayloadTypeState* type_ = nullptr;
};

/// Payloads that were taken out of a map: those of one CPU in the order in which they were sent.
///
/// Thread-safety: objects are immutable. Lifetime: independent of the PayloadReader. Copies share their contents.
class PERFSIFT_API Payloads {
 public:
  Payloads(const Payloads&);             ///< Shares the contents.
  Payloads& operator=(const Payloads&);  ///< Shares the contents.
  ~Payloads();                           ///< The last copy frees the payloads.

  /// The payloads. Lives as long as the object or a copy.
  std::span<const Payload> payloads() const noexcept;
  /// How many payloads there are.
  std::size_t size() const noexcept { return payloads().size(); }
  /// A payload; `index` must be less than size().
  const Payload& operator[](std::size_t index) const noexcept { return payloads()[index]; }
  auto begin() const noexcept { return payloads().begin(); }  ///< Of payloads().
  auto end() const noexcept { return payloads().end(); }      ///< Of payloads().

 private:
  friend struct detail::Access;
  explicit Payloads(std::shared_ptr<const detail::PayloadsState> state);
  std::shared_ptr<const detail::PayloadsState> state_;
};

/// Reads a map of the types BPF_MAP_TYPE_PERF_EVENT_ARRAY and BPF_MAP_TYPE_RINGBUF, of one's own program or of another
/// one. Whoever reads a map is its only reader. Types come from the BTF of the programs that use the map: compile them
/// with `clang -g`.
///
/// Thread-safety: one thread at a time. Copies share their state.
class PERFSIFT_API PayloadReader {
 public:
  /// Opens the map. Payloads that were sent before are in a ring buffer, and lost with a perf event array. Throws
  /// Error: usage for a map that is not there or is no ring, a type that no program has, and a map that another process
  /// reads; unavailable if the kernel or missing privileges refuse it.
  explicit PayloadReader(const PayloadOptions& options);
  PayloadReader(const PayloadReader&);             ///< Shares the state.
  PayloadReader& operator=(const PayloadReader&);  ///< Shares the state.
  ~PayloadReader();                                ///< The last copy closes the rings.

  /// Returns when there is much to read, or after `longest`. Throws Error (unavailable).
  void wait(std::chrono::milliseconds longest);
  /// What has arrived since the last call. Throws Error: usage if several structs have the size of the first payload,
  /// which stays for the next call; memory.
  Payloads take();
  /// One for each ring. Throws Error (memory).
  std::vector<PayloadCounts> counts() const;

  /// The fields of a payload; empty if payloads have no type, or before the first one if no type was named. Lives as
  /// long as the reader.
  const std::vector<PayloadField>& fields() const noexcept;
  /// Sentences: how the type was found, or why there is none; what the fields do not show; CPUs that are left out.
  /// Lives as long as the reader, and grows with the first payload.
  const std::vector<std::string>& notes() const noexcept;

 private:
  std::shared_ptr<detail::PayloadReaderState> state_;
};

}  // namespace PERFSIFT_NAMESPACE
