#include "reader/records/task.h"

namespace perfsift::reader {

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

}  // namespace perfsift::reader
