/// \file
/// Unwinding: from registers and a copy of the stack to the callers. (Samples of recordings are unwound by themselves:
/// Sample::stack(). This is for programs with registers and stacks of their own.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <perfsift/export.h>
#include <perfsift/symbolizer.h>
#include <perfsift/timeline.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
struct UnwinderState;
}  // namespace detail

/// Processors whose stacks can be unwound.
enum class Architecture : std::uint8_t {
  x86_64,   ///< uname -m: x86_64
  i386,     ///< uname -m: i386 … i686
  aarch64,  ///< uname -m: aarch64
};

/// The state of a thread.
struct UnwindState {
  Architecture architecture = Architecture::x86_64;  ///< Whose registers these are.
  /// Which registers there are, by perf's numbers (arch/*/include/uapi/asm/perf_regs.h).
  std::uint64_t register_mask = 0;
  std::span<const std::uint64_t> registers = {};  ///< One for each bit of the mask, ascending.
  std::span<const std::byte> stack = {};          ///< The memory from the stack pointer upwards.
};

/// Why there is no caller after the last frame.
enum class StackEnd : std::uint8_t {
  complete,      ///< It is the outermost frame.
  truncated,     ///< The caller lies above what was copied of the stack.
  max_frames,    ///< There may be more frames than were asked for.
  no_rules,      ///< Nothing is known of the code, and its frame pointer leads nowhere plausible.
  not_mapped,    ///< The address is in no executable mapping.
  broken,        ///< The stack or the rules contradict themselves.
  no_registers,  ///< There is no program counter or no stack pointer: no frame at all.
};

/// A stack.
struct UnwoundStack {
  std::vector<std::uint64_t>
      addresses;                      ///< Leaf first. The first is the instruction, the others are where calls return.
  StackEnd end = StackEnd::complete;  ///< Why it ends.
};

/// Unwinds by the rules of compilers (.eh_frame, .debug_frame), where there are none by the instructions of the code
/// and by frame pointers.
///
/// Thread-safety: one thread at a time; make one for each thread with the same mappings. Lifetime: independent of the
/// Symbolizer.
class PERFSIFT_API Unwinder {
 public:
  /// `mappings`: of the process, as Timeline::mappings() or /proc/PID/maps have them; those that do not overlap. Paths
  /// are copied. Throws Error: usage, for mappings that overlap or end before they start; memory.
  Unwinder(const Symbolizer& symbolizer, std::span<const Mapping> mappings, std::size_t max_frames = 127);
  Unwinder(const Unwinder&) = delete;             ///< Not copied.
  Unwinder& operator=(const Unwinder&) = delete;  ///< Not copied.
  ~Unwinder();                                    ///< Never throws.

  /// The stack of a thread of that process. Throws Error: usage, if there is not one register for each bit of the mask;
  /// memory.
  UnwoundStack unwind(const UnwindState& state);

 private:
  std::unique_ptr<detail::UnwinderState> state_;
};

}  // namespace PERFSIFT_NAMESPACE
