#include "record/keep/thread_names.h"

#include <utility>

#include "reader/records/process.h"

namespace perfsift::record {

using reader::RecordType;

void ThreadNames::take(const reader::Record& record, std::uint64_t time) {
  if (record.header.type == RecordType::comm) {
    if (const auto comm = reader::decode_comm(record)) set(comm->tid, comm->name, time);
  } else if (record.header.type == RecordType::fork) {
    if (const auto task = reader::decode_task(record)) set(task->tid, at(task->parent_tid, task->time), task->time);
  } else if (record.header.type == RecordType::exit) {
    const auto task = reader::decode_task(record);
    if (const auto known = task ? names_.find(task->tid) : names_.end(); known != names_.end()) {
      known->second.ended = true;
    }
  }
}

// Records that were made before recording began have time 0, or none.
void ThreadNames::set(std::int32_t tid, std::string_view name, std::uint64_t time) {
  if (time == reader::no_time) time = 0;
  const std::string_view text = kept(name);
  const auto [known, is_new] = names_.try_emplace(tid, Name{.now = text, .before = text, .since = time});
  if (is_new) return;
  Name& names = known->second;
  if (time < names.since) {
    names.before = text;
  } else {
    names = {.now = text, .before = names.now, .since = time};
  }
}

std::string_view ThreadNames::at(std::int32_t tid, std::uint64_t time) {
  const auto known = names_.find(tid);
  if (known != names_.end()) return time < known->second.since ? known->second.before : known->second.now;
  const std::string_view text = kept(tid == 0 ? "swapper" : ":" + std::to_string(tid));
  names_.try_emplace(tid, Name{.now = text, .before = text});
  return text;
}

void ThreadNames::forget_unused() {
  const std::unordered_set<std::string> old = std::exchange(texts_, {});
  std::erase_if(names_, [](const auto& thread) { return thread.second.ended; });
  for (auto& [tid, name] : names_) {
    name.now = kept(name.now);
    name.before = kept(name.before);
  }
}

}  // namespace perfsift::record
