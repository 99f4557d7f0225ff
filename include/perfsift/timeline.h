/// \file
/// Which program each thread ran, what was mapped where, and when.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <perfsift/export.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
class RecordingState;
struct Access;
}  // namespace detail

/// A moment after everything that was recorded.
inline constexpr std::uint64_t end_of_recording = ~std::uint64_t{0};

/// A mapping of a process or of the kernel.
struct Mapping {
  std::uint64_t start = 0;        ///< The first address.
  std::uint64_t end = 0;          ///< The first address behind it.
  std::uint64_t page_offset = 0;  ///< The offset of `start` in the file, in bytes; without a file `start` itself.
  std::uint32_t protection = 0;   ///< PROT_*.
  std::uint32_t flags = 0;        ///< MAP_*.
  std::string_view path = {};     ///< As recorded, any bytes. Lives as long as the Timeline.
  std::string build_id = {};      ///< Hexadecimal, in lower case; empty: not recorded.
};

/// A thread at a moment.
struct ThreadInfo {
  std::int32_t tid = -1;     ///< The thread.
  std::int32_t pid = -1;     ///< Its process; -1: not recorded.
  std::int32_t parent = -1;  ///< The process that made its process; -1: not recorded.
  std::string comm;          ///< The name, any bytes; ":1234" if none was recorded, as perf prints it.
};

/// The history of threads and address spaces, from the records FORK, EXIT, COMM, MMAP, MMAP2, KSYMBOL and others, which
/// take effect in perf's order (tools/perf/util/ordered-events.c). A program starts with an empty address space after
/// an exec; perf keeps old mappings until new mappings cover them.
///
/// Times are nanoseconds of the event clock; end_of_recording is the state at the end. A record without a time takes
/// effect when perf would have read it.
///
/// Thread-safety: immutable, all functions may be called by several threads at once. Lifetime: copies keep the
/// recording open. Errors: Error (memory).
class PERFSIFT_API Timeline {
 public:
  Timeline(const Timeline&);             ///< Shares the contents.
  Timeline& operator=(const Timeline&);  ///< Shares the contents.
  ~Timeline();                           ///< Never throws.

  /// All threads that records name, ascending.
  std::vector<std::int32_t> threads() const;
  /// The thread at a moment. An unknown thread has no process, and a name like ":1234".
  ThreadInfo thread(std::int32_t tid, std::uint64_t time = end_of_recording) const;
  /// All mappings of a process at a moment, ascending by address. pid -1: the kernel. An unknown process has none.
  std::vector<Mapping> mappings(std::int32_t pid, std::uint64_t time = end_of_recording) const;
  /// The mapping at an address; nothing if nothing was mapped there.
  std::optional<Mapping> mapping(std::int32_t pid, std::uint64_t address, std::uint64_t time = end_of_recording) const;
  /// The path of the control group with the number of Sample::cgroup(); empty: not recorded. Lives as long as the
  /// Timeline.
  std::string_view cgroup(std::uint64_t number) const;

 private:
  friend struct detail::Access;
  explicit Timeline(std::shared_ptr<const detail::RecordingState> recording);
  std::shared_ptr<const detail::RecordingState> recording_;
};

}  // namespace PERFSIFT_NAMESPACE
