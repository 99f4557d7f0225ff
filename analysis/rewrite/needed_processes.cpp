#include "analysis/rewrite/needed_processes.h"

#include <vector>

#include "reader/records/process.h"

namespace perfsift::analysis {
namespace {

using reader::RecordType;

struct ThreadOfRecord {
  std::int32_t pid = -1, tid = -1;
};

// All these records begin with the pid, but FORK and EXIT have the parent's pid before the tid.
std::optional<ThreadOfRecord> thread_of(const reader::Record& record) {
  switch (record.header.type) {
    case RecordType::mmap:
    case RecordType::mmap2:
    case RecordType::comm:
    case RecordType::namespaces: {
      auto in = record.reader();
      const ThreadOfRecord thread{.pid = in.i32(), .tid = in.i32()};
      if (!in.ok() || thread.pid == -1) return std::nullopt;  // -1: the kernel
      return thread;
    }
    case RecordType::fork:
    case RecordType::exit:
      if (const auto task = reader::decode_task(record)) return ThreadOfRecord{task->pid, task->tid};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

ProcessTree::ProcessTree(const reader::Recording& recording) {
  recording.visit_records([&](const reader::Record& record) {
    if (const auto thread = thread_of(record)) related_[thread->tid].insert(thread->pid);
    if (record.header.type != RecordType::fork) return;
    if (const auto fork = reader::decode_task(record)) {
      related_[fork->pid].insert({fork->parent_pid, fork->parent_tid});
      related_[fork->tid].insert({fork->parent_pid, fork->parent_tid});
    }
  });
}

std::set<std::int32_t> ProcessTree::needed_by(const std::set<std::pair<std::int32_t, std::int32_t>>& threads) const {
  std::set<std::int32_t> needed;
  std::vector<std::int32_t> open;
  const auto add = [&](std::int32_t id) {
    if (needed.insert(id).second) open.push_back(id);
  };
  for (const auto& [pid, tid] : threads) add(pid), add(tid);
  while (!open.empty()) {
    const auto found = related_.find(open.back());
    open.pop_back();
    if (found == related_.end()) continue;
    for (const std::int32_t id : found->second) add(id);
  }
  return needed;
}

std::optional<std::int32_t> process_of(const reader::Record& record) {
  const auto thread = thread_of(record);
  return thread ? std::optional(thread->pid) : std::nullopt;
}

}  // namespace perfsift::analysis
