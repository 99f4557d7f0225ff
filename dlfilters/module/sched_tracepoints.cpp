#include "dlfilters/module/sched_tracepoints.h"

namespace perfsift::dlfilter {
namespace {

constexpr std::size_t comm_size = 16;  // TASK_COMM_LEN

// What every tracepoint begins with: struct trace_entry.
constexpr std::size_t entry_size = 8;

// With the size before them, raw data are padded to whole words (perf_trace_##call in include/trace/perf.h).
constexpr std::size_t padded(std::size_t size) {
  return (size + sizeof(std::uint32_t) + 7) / 8 * 8 - sizeof(std::uint32_t);
}

std::int32_t pid_of_entry(Bytes raw) {
  ByteReader in(raw);
  in.skip(4);  // type, flags, preempt count
  return in.i32();
}

std::string_view take_comm(ByteReader& in) { return c_string(in.bytes(comm_size)); }

// A text of any length: the word in its place says where it lies behind the fixed part, which ends there.
bool begins_with_text_behind(Bytes raw, std::size_t fixed_part) {
  ByteReader in(raw);
  in.skip(entry_size);
  return in.u16() == fixed_part && in.ok();
}

}  // namespace

// The pid of the entry is that of the thread that leaves its CPU, in the same numbers: no other field equals it by
// chance in one event after the other.
std::optional<SchedSwitch> decode_sched_switch(Bytes raw) {
  if (raw.size() != padded(64)) return std::nullopt;
  ByteReader in(raw);
  in.skip(entry_size);
  SchedSwitch event;
  event.prev_comm = take_comm(in);
  event.prev_pid = in.i32();
  in.skip(4);  // prev_prio
  event.prev_state = in.u64();
  event.next_comm = take_comm(in);
  event.next_pid = in.i32();
  return in.ok() && event.prev_pid == pid_of_entry(raw) ? std::optional(event) : std::nullopt;
}

// Older kernels have a word more, `success`, behind what is read here.
std::optional<std::int32_t> decode_sched_wakeup(Bytes raw) {
  if (raw.size() != padded(36) && raw.size() != padded(40)) return std::nullopt;
  ByteReader in(raw);
  in.skip(entry_size + comm_size);
  return in.i32();
}

// Names are arrays, and in newer kernels texts of any length.
std::optional<std::int32_t> decode_sched_process_fork(Bytes raw) {
  ByteReader in(raw);
  if (begins_with_text_behind(raw, 24)) {
    in.skip(entry_size + 12);  // parent_comm, parent_pid, child_comm
  } else if (raw.size() == padded(48)) {
    in.skip(entry_size + comm_size + 4 + comm_size);
  } else {
    return std::nullopt;
  }
  const std::int32_t child = in.i32();
  return in.ok() ? std::optional(child) : std::nullopt;
}

std::optional<SchedProcessExec> decode_sched_process_exec(Bytes raw) {
  if (!begins_with_text_behind(raw, 20)) return std::nullopt;
  ByteReader in(raw);
  in.skip(entry_size + 4);  // filename
  SchedProcessExec event;
  event.pid = in.i32();
  event.old_pid = in.i32();
  return in.ok() ? std::optional(event) : std::nullopt;
}

}  // namespace perfsift::dlfilter
