#include "record/flight/recent_records.h"

#include <algorithm>

#include "record/rings/pieces.h"

namespace perfsift::record {

std::uint64_t RecentRecords::time_of(const reader::Record& record) const {
  const bool is_sample = record.header.type == reader::RecordType::sample;
  return is_sample ? events_.sample_time(record) : events_.identify(record).time;
}

void RecentRecords::records(std::size_t ring, Bytes records) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  const Pieces pieces{records, {}};
  std::size_t begin = records.size();  // of what is not passed on yet
  const std::size_t whole = walk_records(pieces, [&](const reader::RecordHeader& header, std::size_t offset) {
    if (begin > offset) {
      const std::uint64_t time = time_of(record_in(records.subspan(offset)));
      if (time != reader::no_time) oldest_.try_emplace(ring, time);
      if (time < from_) return;
      begin = offset;
    }
    if (offset - begin >= most_bytes) {
      take_(records.subspan(begin, offset - begin));
      begin = offset;
    }
    if (header.type == reader::RecordType::sample) ++samples_;
  });
  if (whole > begin) take_(records.subspan(begin, whole - begin));
}

std::uint64_t RecentRecords::oldest(std::size_t ring) const {
  const auto found = oldest_.find(ring);
  return found != oldest_.end() ? found->second : reader::no_time;
}

std::uint64_t complete_from(const RecentRecords& records, const std::vector<RingFill>& fills, std::uint64_t begin) {
  std::uint64_t from = begin;
  for (const RingFill& fill : fills) {
    const std::uint64_t oldest = records.oldest(fill.ring);
    if (fill.written > fill.capacity && oldest != reader::no_time) from = std::max(from, oldest);
  }
  return from;
}

}  // namespace perfsift::record
