#include <perfsift/record.h>

#include "library/record_view.h"
#include "library/translated.h"
#include "reader/format/record_names.h"
#include "reader/records/loss.h"
#include "reader/records/mmap.h"
#include "reader/records/process.h"

namespace perfsift::v0 {
namespace {

using reader::RecordType;

// The decoded record, if it is of one of the types.
template <typename Decoded>
std::optional<Decoded> decode_if(const reader::Record& record, std::initializer_list<RecordType> types,
                                 std::optional<Decoded> (*decode)(const reader::Record&)) {
  for (const RecordType type : types) {
    if (record.header.type == type) return decode(record);
  }
  return std::nullopt;
}

std::optional<MmapRecord> public_mmap(const std::optional<reader::Mmap>& map) {
  if (!map) return std::nullopt;
  return MmapRecord{.pid = map->pid,
                    .tid = map->tid,
                    .start = map->start,
                    .length = map->length,
                    .page_offset = map->page_offset,
                    .protection = map->protection,
                    .flags = map->flags,
                    .path = map->path,
                    .build_id = map->build_id.hex()};
}

}  // namespace

std::uint32_t Record::type() const noexcept { return static_cast<std::uint32_t>(view_->record.header.type); }
std::string_view Record::name() const noexcept { return reader::record_name(view_->record.header.type); }
std::optional<std::uint64_t> Record::time() const noexcept {
  return view_->id.time != reader::no_time ? std::optional(view_->id.time) : std::nullopt;
}
std::int32_t Record::pid() const noexcept { return view_->id.pid; }
std::int32_t Record::tid() const noexcept { return view_->id.tid; }
std::int32_t Record::cpu() const noexcept { return view_->id.cpu; }
std::uint16_t Record::misc() const noexcept { return view_->record.header.misc; }
std::span<const std::byte> Record::payload() const noexcept { return view_->record.payload; }

std::optional<MmapRecord> Record::mmap() const {
  return detail::translated([&] {
    const reader::Record& record = view_->record;
    if (record.header.type == RecordType::mmap2) return public_mmap(reader::decode_mmap2(record));
    return public_mmap(decode_if(record, {RecordType::mmap}, reader::decode_mmap));
  });
}

std::optional<CommRecord> Record::comm() const {
  const auto comm = decode_if(view_->record, {RecordType::comm}, reader::decode_comm);
  if (!comm) return std::nullopt;
  return CommRecord{.pid = comm->pid, .tid = comm->tid, .name = comm->name, .exec = comm->exec};
}

std::optional<TaskRecord> Record::task() const {
  const auto task = decode_if(view_->record, {RecordType::fork, RecordType::exit}, reader::decode_task);
  if (!task) return std::nullopt;
  return TaskRecord{.pid = task->pid,
                    .tid = task->tid,
                    .parent_pid = task->parent_pid,
                    .parent_tid = task->parent_tid,
                    .exit = view_->record.header.type == RecordType::exit};
}

std::optional<LostRecord> Record::lost() const {
  const auto records = decode_if(view_->record, {RecordType::lost}, reader::decode_lost);
  if (records) return LostRecord{.records = records->lost};
  const auto samples = decode_if(view_->record, {RecordType::lost_samples}, reader::decode_lost_samples);
  if (!samples) return std::nullopt;
  return LostRecord{.samples = samples->dropped_by_bpf ? 0 : samples->lost};
}

std::optional<SwitchRecord> Record::context_switch() const {
  const auto found =
      decode_if(view_->record, {RecordType::switch_, RecordType::switch_cpu_wide}, reader::decode_switch);
  if (!found) return std::nullopt;
  return SwitchRecord{.out = found->out, .preempted = found->preempted};
}

}  // namespace perfsift::v0
