#include "dlfilters/module/sched_layouts.h"

#include <optional>

namespace perfsift::dlfilter {
namespace {

using offcpu::RawField;
using offcpu::SchedKind;
using offcpu::SchedLayout;

constexpr std::size_t comm_size = 16;  // TASK_COMM_LEN

// Every tracepoint begins with struct trace_entry (type, flags, preempt count, pid).
constexpr std::size_t entry_size = 8;

// With the size before them, raw data are padded to whole words (perf_trace_##call in include/trace/perf.h).
constexpr std::size_t padded(std::size_t size) {
  return (size + sizeof(std::uint32_t) + 7) / 8 * 8 - sizeof(std::uint32_t);
}

RawField thread_at(std::size_t offset) { return {offset, 4, true, ByteOrder::native}; }

std::int32_t pid_of_entry(Bytes raw) {
  ByteReader in(raw);
  in.skip(4);
  return in.i32();
}

// A text of any length: the word in its place says where it lies behind the fixed part, which ends there.
bool begins_with_text_behind(Bytes raw, std::size_t fixed_part) {
  ByteReader in(raw);
  in.skip(entry_size);
  return in.u16() == fixed_part && in.ok();
}

// prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio
std::optional<SchedLayout> layout_of_switch(Bytes raw) {
  if (raw.size() != padded(64)) return std::nullopt;
  constexpr std::size_t prev_pid = entry_size + comm_size;
  constexpr std::size_t prev_state = prev_pid + 8;
  return SchedLayout{.subject = thread_at(prev_pid),
                     .value = RawField(prev_state, 8, true, ByteOrder::native),
                     .other = thread_at(prev_state + 8 + comm_size)};
}

// comm, pid, prio, target_cpu. Older kernels have a word more, `success`, behind the pid.
std::optional<SchedLayout> layout_of_wakeup(Bytes raw) {
  if (raw.size() != padded(36) && raw.size() != padded(40)) return std::nullopt;
  return SchedLayout{.subject = thread_at(entry_size + comm_size), .value = {}, .other = {}};
}

// parent_comm, parent_pid, child_comm, child_pid. Names are arrays, and in newer kernels texts of any length.
std::optional<SchedLayout> layout_of_fork(Bytes raw) {
  if (begins_with_text_behind(raw, 24)) {
    return SchedLayout{.subject = thread_at(entry_size + 12), .value = {}, .other = {}};
  }
  if (raw.size() != padded(48)) return std::nullopt;
  return SchedLayout{.subject = thread_at(entry_size + comm_size + 4 + comm_size), .value = {}, .other = {}};
}

// filename, pid, old_pid
std::optional<SchedLayout> layout_of_exec(Bytes raw) {
  if (!begins_with_text_behind(raw, 20)) return std::nullopt;
  return SchedLayout{.subject = thread_at(entry_size + 4), .value = {}, .other = thread_at(entry_size + 8)};
}

std::optional<SchedLayout> layout_of(SchedKind kind, Bytes raw) {
  switch (kind) {
    case SchedKind::switch_:
      return layout_of_switch(raw);
    case SchedKind::waking:
    case SchedKind::wakeup:
    case SchedKind::wakeup_new:
      return layout_of_wakeup(raw);
    case SchedKind::fork:
      return layout_of_fork(raw);
    case SchedKind::exec:
      return layout_of_exec(raw);
    default:
      return std::nullopt;
  }
}

}  // namespace

bool has_layout(SchedKind kind) {
  switch (kind) {
    case SchedKind::switch_:
    case SchedKind::waking:
    case SchedKind::wakeup:
    case SchedKind::wakeup_new:
    case SchedKind::fork:
    case SchedKind::exec:
      return true;
    default:
      return false;
  }
}

// The pid of a switch's entry is that of the thread that leaves its CPU, in the same numbers: no other field equals it
// by chance in one event after the other.
bool read_sched_event(Bytes raw, offcpu::SchedEvent& event) {
  const std::optional<SchedLayout> layout = layout_of(event.kind, raw);
  if (!layout || !layout->read(raw, event)) return false;
  return event.kind != SchedKind::switch_ || event.subject == pid_of_entry(raw);
}

SwitchComms comms_of_switch(Bytes raw) {
  ByteReader in(raw);
  in.skip(entry_size);
  SwitchComms comms;
  comms.prev = c_string(in.bytes(comm_size));
  in.skip(4 + 4 + 8);  // prev_pid, prev_prio, prev_state
  comms.next = c_string(in.bytes(comm_size));
  return comms;
}

}  // namespace perfsift::dlfilter
