#include "analysis/input/command_time.h"

#include <algorithm>
#include <vector>

#include "reader/records/process.h"

namespace perfsift::analysis {
namespace {

using reader::Record;
using reader::RecordType;

struct ProcessTime {
  std::int32_t pid = -1;
  std::uint64_t time = reader::no_time;
};

}  // namespace

// Each CPU has a buffer of its own, so the end of a process may stand before its exec in the file.
std::optional<std::uint64_t> command_time(const reader::Recording& recording) {
  ProcessTime begin;
  std::vector<ProcessTime> ends;
  recording.visit_records([&](const Record& record) {
    if (record.header.type == RecordType::comm) {
      const std::uint64_t time = recording.identify(record).time;
      const auto comm = decode_comm(record);
      if (comm && comm->exec && time < begin.time) begin = {.pid = comm->pid, .time = time};
    } else if (record.header.type == RecordType::exit) {
      const auto task = decode_task(record);
      if (task && task->pid == task->tid) ends.push_back({.pid = task->pid, .time = task->time});
    }
  });
  std::uint64_t end = reader::no_time;
  for (const ProcessTime& process : ends) {
    if (process.pid == begin.pid && process.time >= begin.time) end = std::min(end, process.time);
  }
  return end == reader::no_time ? std::nullopt : std::optional(end - begin.time);
}

}  // namespace perfsift::analysis
