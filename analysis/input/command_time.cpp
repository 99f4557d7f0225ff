#include "analysis/input/command_time.h"

#include "reader/records/process.h"

namespace perfsift::analysis {
namespace {

using reader::Record;
using reader::RecordType;

struct Execution {
  std::int32_t pid = -1;
  std::uint64_t begin = reader::no_time, end = reader::no_time;
};

}  // namespace

std::optional<std::uint64_t> command_time(const reader::Recording& recording) {
  Execution command;
  recording.visit_records([&](const Record& record) {
    if (record.header.type == RecordType::comm && command.pid < 0) {
      const auto comm = decode_comm(record);
      if (comm && comm->exec) command = {.pid = comm->pid, .begin = recording.identify(record).time};
    } else if (record.header.type == RecordType::exit) {
      const auto task = decode_task(record);
      if (task && task->pid == command.pid && task->tid == command.pid) command.end = task->time;
    }
  });
  const bool known = command.begin != reader::no_time && command.end != reader::no_time;
  return known && command.end >= command.begin ? std::optional(command.end - command.begin) : std::nullopt;
}

}  // namespace perfsift::analysis
