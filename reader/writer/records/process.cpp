#include "reader/writer/records/process.h"

namespace perfsift::reader {

namespace {

ByteWriter task_payload(const Task& task, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  out.u32(as_u32(task.pid)).u32(as_u32(task.parent_pid)).u32(as_u32(task.tid)).u32(as_u32(task.parent_tid));
  out.u64(task.time);
  return out;
}

}  // namespace

std::vector<std::byte> encode_comm(const Comm& comm, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  put_name(out.u32(as_u32(comm.pid)).u32(as_u32(comm.tid)), comm.name);
  return encoded_record(RecordType::comm, comm.exec ? misc::comm_exec : std::uint16_t{0}, out, encoding);
}

std::vector<std::byte> encode_fork(const Task& task, const Encoding& encoding) {
  const std::uint16_t bits = task.synthesised ? misc::fork_exec : std::uint16_t{0};
  return encoded_record(RecordType::fork, bits, task_payload(task, encoding), encoding);
}

std::vector<std::byte> encode_exit(const Task& task, const Encoding& encoding) {
  return encoded_record(RecordType::exit, 0, task_payload(task, encoding), encoding);
}

std::vector<std::byte> encode_namespaces(const Namespaces& namespaces, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  out.u32(as_u32(namespaces.pid)).u32(as_u32(namespaces.tid)).u64(namespaces.links.size());
  for (const NamespaceLink& link : namespaces.links) out.u64(link.device).u64(link.inode);
  return encoded_record(RecordType::namespaces, 0, out, encoding);
}

std::vector<std::byte> encode_cgroup(const Cgroup& cgroup, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  put_name(out.u64(cgroup.id), cgroup.path);
  return encoded_record(RecordType::cgroup, 0, out, encoding);
}

std::vector<std::byte> encode_switch(const Switch& event, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  if (event.other) out.u32(as_u32(event.other->pid)).u32(as_u32(event.other->tid));
  unsigned bits = 0;
  if (event.out) bits |= misc::switch_out;
  if (event.preempted) bits |= misc::switch_out_preempt;
  return encoded_record(event.other ? RecordType::switch_cpu_wide : RecordType::switch_,
                        static_cast<std::uint16_t>(bits), out, encoding);
}

}  // namespace perfsift::reader
