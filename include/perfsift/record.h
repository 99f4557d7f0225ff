/// \file
/// Records that are not samples: what happened to threads and address spaces, and what was lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <perfsift/export.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
struct RecordView;
struct Access;
}  // namespace detail

/// PERF_RECORD_MMAP and PERF_RECORD_MMAP2: a mapping was made.
struct MmapRecord {
  std::int32_t pid = -1;          ///< The process; -1: the kernel.
  std::int32_t tid = -1;          ///< The thread that made the mapping.
  std::uint64_t start = 0;        ///< The first address.
  std::uint64_t length = 0;       ///< Bytes.
  std::uint64_t page_offset = 0;  ///< The offset of `start` in the file, in bytes.
  std::uint32_t protection = 0;   ///< PROT_*; a MMAP record has only PROT_EXEC, or 0 for data.
  std::uint32_t flags = 0;        ///< MAP_*; 0 in a MMAP record.
  std::string_view path;          ///< As recorded, any bytes. Lives as long as the record.
  std::string build_id;           ///< Hexadecimal, in lower case; empty: not recorded.
};

/// PERF_RECORD_COMM: a thread got a new name.
struct CommRecord {
  std::int32_t pid = -1;  ///< The process.
  std::int32_t tid = -1;  ///< The thread.
  std::string_view name;  ///< As recorded, any bytes. Lives as long as the record.
  bool exec = false;      ///< The name came with a new program.
};

/// PERF_RECORD_FORK and PERF_RECORD_EXIT: a thread began or ended.
struct TaskRecord {
  std::int32_t pid = -1;         ///< The process.
  std::int32_t tid = -1;         ///< The thread.
  std::int32_t parent_pid = -1;  ///< The process of the thread that made it.
  std::int32_t parent_tid = -1;  ///< The thread that made it.
  bool exit = false;             ///< Whether it ended.
};

/// PERF_RECORD_LOST and PERF_RECORD_LOST_SAMPLES.
struct LostRecord {
  std::uint64_t records = 0;  ///< Records that found no room in perf's buffer.
  std::uint64_t samples = 0;  ///< Samples that were never taken, or, at time 0, that found no room in all.
};

/// PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE: a thread came onto a CPU or left it.
struct SwitchRecord {
  bool out = false;        ///< The thread left its CPU.
  bool preempted = false;  ///< Although it was ready to run.
};

/// A record: a view that is valid until the function that got it returns.
///
/// A function for another kind of record, or for a record that is too short, returns nothing. Records that perfsift
/// does not decode have their bytes: payload().
///
/// Thread-safety: belongs to the thread of the call. Errors: none, except std::bad_alloc as Error (memory).
class PERFSIFT_API Record {
 public:
  /// perf_event_header.type: PERF_RECORD_*, from 64 on those of perf (tools/lib/perf/include/perf/event.h).
  std::uint32_t type() const noexcept;
  /// The name that perf prints for the type: "MMAP2"; "UNKNOWN" for unknown types. Lives for the whole run.
  std::string_view name() const noexcept;
  /// Nanoseconds of the event clock; nothing if the record has no time (it was made by perf, not by the kernel).
  std::optional<std::uint64_t> time() const noexcept;
  /// The thread that caused the record; -1: not recorded.
  std::int32_t pid() const noexcept;
  /// The thread that caused the record; -1: not recorded.
  std::int32_t tid() const noexcept;
  /// -1: not recorded.
  std::int32_t cpu() const noexcept;
  /// perf_event_header.misc.
  std::uint16_t misc() const noexcept;
  /// The bytes after the header, in the byte order of the recording.
  std::span<const std::byte> payload() const noexcept;

  std::optional<MmapRecord> mmap() const;              ///< Of MMAP and MMAP2.
  std::optional<CommRecord> comm() const;              ///< Of COMM.
  std::optional<TaskRecord> task() const;              ///< Of FORK and EXIT.
  std::optional<LostRecord> lost() const;              ///< Of LOST and LOST_SAMPLES.
  std::optional<SwitchRecord> context_switch() const;  ///< Of SWITCH and SWITCH_CPU_WIDE.

 private:
  friend struct detail::Access;
  explicit Record(const detail::RecordView& view) noexcept : view_(&view) {}
  const detail::RecordView* view_;
};

}  // namespace PERFSIFT_NAMESPACE
