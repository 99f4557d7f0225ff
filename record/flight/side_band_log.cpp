#include "record/flight/side_band_log.h"

#include "reader/records/process.h"
#include "record/rings/pieces.h"

namespace perfsift::record {

using reader::RecordType;
using std::chrono::seconds;

bool names_later_samples(RecordType type) {
  switch (type) {
    case RecordType::mmap:
    case RecordType::mmap2:
    case RecordType::comm:
    case RecordType::fork:
    case RecordType::exit:
    case RecordType::namespaces:
    case RecordType::cgroup:
    case RecordType::ksymbol:
    case RecordType::bpf_event:
    case RecordType::text_poke:
      return true;
    default:
      return false;
  }
}

bool SideBandLog::is_generation_due(Time now) const {
  if (generations_.empty()) return true;
  const Generation& newest = generations_.back();
  const std::size_t bytes = newest.records.bytes();
  return bytes >= limits_.most || (bytes >= limits_.generation && now - newest.begin > limits_.window);
}

void SideBandLog::begin_generation(Time now) {
  if (!generations_.empty() && now - generations_.back().begin <= limits_.window) ++cut_;
  if (generations_.size() == 2) generations_.pop_front();
  generations_.push_back({.begin = now, .state = {}, .records = {}});
}

void SideBandLog::add_state(Bytes records) {
  if (!generations_.empty()) generations_.back().state.add(records);
}

void SideBandLog::add(Time now, Bytes records) {
  drop_passed(now);
  if (generations_.empty()) begin_generation(now);
  walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
    const Bytes record = records.subspan(offset, header.size);
    if (!names_later_samples(header.type)) return add_passing(now, record);
    generations_.back().records.add(record);
    note_task(record_in(record));
  });
}

void SideBandLog::note_task(const reader::Record& record) {
  const RecordType type = record.header.type;
  if (type != RecordType::fork && type != RecordType::exit) return;
  const auto task = reader::decode_task(record);
  if (!task) return;
  if (type == RecordType::exit && task->pid == task->tid) started_.erase(task->pid);
  if (type == RecordType::fork && task->pid != task->parent_pid) started_.insert(task->pid);
}

// One piece for a tenth of a second keeps the pieces few.
void SideBandLog::add_passing(Time now, Bytes record) {
  if (passing_.empty() || now - passing_.back().time > std::chrono::milliseconds(100))
    passing_.push_back({.time = now, .records = {}});
  passing_.back().records.add(record);
  passing_bytes_ += record.size();
}

// A pass may bring records that are as old as the longest wait between two passes.
void SideBandLog::drop_passed(Time now) {
  const auto is_passed = [&](const Passing& passing) {
    return now - passing.time > limits_.window + seconds(1) || passing_bytes_ > limits_.most;
  };
  while (!passing_.empty() && is_passed(passing_.front())) {
    passing_bytes_ -= passing_.front().records.bytes();
    passing_.pop_front();
  }
}

void SideBandLog::give_state(const Take& take) const {
  if (!generations_.empty()) generations_.front().state.for_each(take);
}

void SideBandLog::give_records(const Take& take) const {
  for (const Generation& generation : generations_) generation.records.for_each(take);
  for (const Passing& passing : passing_) passing.records.for_each(take);
}

std::size_t SideBandLog::bytes() const {
  std::size_t bytes = passing_bytes_;
  for (const Generation& generation : generations_) bytes += generation.state.bytes() + generation.records.bytes();
  return bytes;
}

}  // namespace perfsift::record
