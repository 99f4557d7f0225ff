#include "reader/records/process.h"

#include "reader/format/counted_list.h"

namespace perfsift::reader {

std::optional<Comm> decode_comm(const Record& record) {
  auto in = record.reader();
  const Comm comm{
      .pid = in.i32(),
      .tid = in.i32(),
      .name = in.cstring(),
      .exec = (record.header.misc & misc::comm_exec) != 0,
  };
  return in.ok() ? std::optional(comm) : std::nullopt;
}

std::optional<Task> decode_task(const Record& record) {
  auto in = record.reader();
  const Task task{
      .pid = in.i32(),
      .parent_pid = in.i32(),
      .tid = in.i32(),
      .parent_tid = in.i32(),
      .time = in.u64(),
      .synthesised = record.header.type == RecordType::fork && (record.header.misc & misc::fork_exec) != 0,
  };
  return in.ok() ? std::optional(task) : std::nullopt;
}

std::optional<Namespaces> decode_namespaces(const Record& record) {
  auto in = record.reader();
  Namespaces namespaces{.pid = in.i32(), .tid = in.i32()};
  namespaces.links = read_list(
      in, in.u64(), [](ByteReader& link) { return NamespaceLink{.device = link.u64(), .inode = link.u64()}; });
  return in.ok() ? std::optional(std::move(namespaces)) : std::nullopt;
}

std::optional<Cgroup> decode_cgroup(const Record& record) {
  auto in = record.reader();
  const Cgroup cgroup{.id = in.u64(), .path = in.cstring()};
  return in.ok() ? std::optional(cgroup) : std::nullopt;
}

std::optional<Switch> decode_switch(const Record& record) {
  auto in = record.reader();
  Switch event{
      .out = (record.header.misc & misc::switch_out) != 0,
      .preempted = (record.header.misc & misc::switch_out_preempt) != 0,
  };
  if (record.header.type == RecordType::switch_cpu_wide) event.other = Switch::Other{.pid = in.i32(), .tid = in.i32()};
  return in.ok() ? std::optional(event) : std::nullopt;
}

}  // namespace perfsift::reader
