/// \file
/// Samples as columns: an array for each field, for programs that compute on all samples at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <perfsift/export.h>
#include <perfsift/recording.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
struct ColumnsState;
}  // namespace detail

/// How finely columns distinguish frames.
enum class FrameDetail : std::uint8_t {
  function,  ///< The function; the source line is that where it begins.
  line,      ///< The line that ran, too.
  address,   ///< The address, too.
};

/// Which samples and which columns.
struct ColumnsOptions {
  SampleOptions samples = {};                  ///< Filter, symbolizer, names.
  bool stacks = true;                          ///< Stacks and frames. Without them no address is named.
  FrameDetail detail = FrameDetail::function;  ///< How finely frames are distinguished.
  unsigned threads = 0;                        ///< 0: one for each CPU.
};

/// The samples of a recording by the order in which perf delivers them: by time. Every column has size() values. The
/// columns of a recording do not depend on the number of threads. A value that was not recorded is ~0 in columns of
/// 64 bits (`none`), and -1 in pid, tid and cpu.
///
/// Thread-safety: immutable. Lifetime: copies share their contents; all spans and texts live as long as the last copy,
/// also without the recording.
class PERFSIFT_API Columns {
 public:
  /// A value that was not recorded.
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  /// In stack(): the sample has no frame.
  static constexpr std::uint32_t no_stack = ~std::uint32_t{0};

  /// Visits the recording. Throws what Recording::for_each_sample_parallel() throws.
  explicit Columns(Recording& recording, const ColumnsOptions& options = {});
  Columns(const Columns&);             ///< Shares the contents.
  Columns& operator=(const Columns&);  ///< Shares the contents.
  ~Columns();                          ///< Never throws.

  std::size_t size() const noexcept;                        ///< Number of samples.
  std::span<const std::uint64_t> time() const noexcept;     ///< Nanoseconds of the event clock.
  std::span<const std::uint64_t> weight() const noexcept;   ///< See Sample::weight().
  std::span<const std::uint64_t> period() const noexcept;   ///< See Sample::period().
  std::span<const std::uint64_t> ip() const noexcept;       ///< See Sample::ip().
  std::span<const std::uint64_t> addr() const noexcept;     ///< See Sample::addr().
  std::span<const std::uint64_t> latency() const noexcept;  ///< See Sample::latency().
  std::span<const std::int32_t> pid() const noexcept;       ///< See Sample::pid().
  std::span<const std::int32_t> tid() const noexcept;       ///< See Sample::tid().
  std::span<const std::int32_t> cpu() const noexcept;       ///< See Sample::cpu().
  std::span<const std::uint32_t> event() const noexcept;    ///< Index in Recording::events().
  std::span<const std::uint32_t> comm() const noexcept;     ///< Number of the thread's name: see name().
  std::span<const std::uint32_t> stack() const noexcept;    ///< Number of the stack; empty without stacks.
  std::span<const std::uint8_t> mode() const noexcept;      ///< CpuMode.

  /// Distinct stacks, by number, in the order of their first samples: stack i has the frames from stack_starts()[i] up
  /// to stack_starts()[i + 1] of stack_frames(), leaf first. There is one more start than stacks.
  std::span<const std::uint64_t> stack_starts() const noexcept;
  std::span<const std::uint32_t> stack_frames() const noexcept;  ///< Numbers of frames: see stack_starts().

  /// Distinct frames, by number, a column for each field of Frame.
  std::span<const std::uint32_t> frame_function() const noexcept;
  std::span<const std::uint32_t> frame_binary() const noexcept;  ///< Number of the binary's path: see name().
  std::span<const std::uint32_t> frame_file() const noexcept;    ///< Number of the source file: see name().
  std::span<const std::uint32_t> frame_line() const noexcept;    ///< See Frame::line.
  std::span<const std::uint64_t> frame_address()
      const noexcept;                                         ///< See Frame::address; 0 without FrameDetail::address.
  std::span<const std::uint8_t> frame_kind() const noexcept;  ///< FrameKind.
  std::span<const std::uint8_t> frame_inlined() const noexcept;  ///< 1: inlined.
  std::span<const std::uint8_t> frame_named() const noexcept;    ///< 1: the function is a name.

  /// Distinct names. Number 0 is the empty name.
  std::size_t names() const noexcept;
  /// A name; empty for a number that is too large.
  std::string_view name(std::uint32_t number) const noexcept;
  /// All names in one piece: name i is the bytes from name_starts()[i] up to name_starts()[i + 1].
  std::string_view name_bytes() const noexcept;
  std::span<const std::uint64_t> name_starts() const noexcept;  ///< One more than names: see name_bytes().

 private:
  std::shared_ptr<const detail::ColumnsState> state_;
};

}  // namespace PERFSIFT_NAMESPACE
