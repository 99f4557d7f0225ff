#include "reader/losses.h"

#include "reader/records/auxtrace.h"
#include "reader/records/loss.h"
#include "reader/records/stat.h"

namespace perfsift::reader {
namespace {

void note_loss(const Record& record, const EventTable& events, std::uint64_t records, std::uint64_t samples,
               ReadStats& stats) {
  if (records == 0 && samples == 0) return;
  const SampleId id = events.identify(record);
  stats.lost_at.push_back({.time = id.time, .cpu = id.cpu, .records = records, .samples = samples});
}

bool count_lost(const Record& record, const EventTable& events, ReadStats& stats) {
  const auto lost = decode_lost(record);
  if (!lost) return false;
  ++stats.losses.lost_chunks;
  stats.losses.lost_records += lost->lost;
  note_loss(record, events, lost->lost, 0, stats);
  return true;
}

// At the end, perf 6.1 and later reads how many records of each event found no room in the ring buffer, and writes the
// numbers as LOST_SAMPLES with time 0 (record__read_lost_samples() in builtin-record.c). The kernel's own LOST_SAMPLES
// have a time (perf_log_lost_samples()).
bool tells_of_whole_recording(const Record& record, const EventTable& events) {
  const Event* event = events.of_trailer(record);
  if (event == nullptr || (event->attr.read_format & read_format::lost) == 0) return false;
  const std::uint64_t time = events.identify(record).time;
  return time == 0 || time == no_time;
}

bool count_lost_samples(const Record& record, const EventTable& events, ReadStats& stats) {
  const auto lost = decode_lost_samples(record);
  if (!lost) return false;
  if (lost->dropped_by_bpf) {
    stats.losses.bpf_dropped_samples += lost->lost;
  } else {
    stats.losses.lost_samples += lost->lost;
    if (tells_of_whole_recording(record, events)) {
      stats.losses.lost_samples_without_room += lost->lost;
    } else {
      note_loss(record, events, 0, lost->lost, stats);
    }
  }
  return true;
}

// The counters of an event that ended, with the number of records that found no room in the ring buffer
// (PERF_FORMAT_LOST).
bool count_read(const Record& record, const EventTable& events, Losses& losses) {
  const Event* event = events.of_trailer(record);
  if (event == nullptr) return true;
  const auto read = decode_read(record, event->attr.read_format);
  if (!read) return false;
  if ((event->attr.read_format & read_format::lost) == 0) return true;
  for (const ReadValue& value : read->counters) losses.lost_by_id[value.id] = value.lost;
  return true;
}

bool count_aux(const Record& record, Losses& losses) {
  const auto aux = decode_aux(record);
  if (!aux) return false;
  if (aux->truncated()) ++losses.aux_truncated;
  if (aux->collision()) ++losses.aux_collisions;
  return true;
}

}  // namespace

bool LossCounter::open_throttle(const Record& record, const EventTable& events, ReadStats& stats) {
  const auto throttle = decode_throttle(record);
  if (!throttle) return false;
  open_[{throttle->id, throttle->stream_id}] = stats.throttled.size();
  stats.throttled.push_back({.id = throttle->id,
                             .stream_id = throttle->stream_id,
                             .cpu = events.identify(record).cpu,
                             .from = throttle->time,
                             .until = no_time});
  return true;
}

bool LossCounter::close_throttle(const Record& record, ReadStats& stats) {
  const auto throttle = decode_throttle(record);
  if (!throttle) return false;
  const auto window = open_.find({throttle->id, throttle->stream_id});
  if (window == open_.end()) return true;
  stats.throttled[window->second].until = throttle->time;
  open_.erase(window);
  return true;
}

bool LossCounter::count(const Record& record, const EventTable& events, ReadStats& stats) {
  switch (record.header.type) {
    case RecordType::lost:
      return count_lost(record, events, stats);
    case RecordType::lost_samples:
      return count_lost_samples(record, events, stats);
    case RecordType::read:
      return count_read(record, events, stats.losses);
    case RecordType::throttle:
      return open_throttle(record, events, stats);
    case RecordType::unthrottle:
      return close_throttle(record, stats);
    case RecordType::aux:
      return count_aux(record, stats.losses);
    default:
      return true;
  }
}

}  // namespace perfsift::reader
