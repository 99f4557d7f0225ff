// The records of a snapshot that are young enough: rings of a quiet CPU hold hours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "reader/event_table.h"
#include "record/rings/record_sink.h"

namespace perfsift::record {

// Passes on the records of each ring from the first one on that is not older than a time. The records of a ring are in
// the order of their times, except for those that an interrupt wrote between. Not thread-safe.
class RecentRecords : public RecordSink {
 public:
  // Gets about a megabyte at a time.
  using Take = std::function<void(Bytes records)>;

  // `events`: of the session; must live longer. `from`: in nanoseconds of the clock of the records.
  RecentRecords(const reader::EventTable& events, std::uint64_t from, Take take)
      : events_(events), from_(from), take_(std::move(take)) {}

  void records(std::size_t ring, Bytes records) override;
  void round() override {}

  std::uint64_t samples() const { return samples_; }  // passed on
  // The time of the oldest record that a ring had, passed on or not; no_time: none has a time.
  std::uint64_t oldest(std::size_t ring) const;

 private:
  std::uint64_t time_of(const reader::Record& record) const;

  const reader::EventTable& events_;
  const std::uint64_t from_;
  const Take take_;
  std::uint64_t samples_ = 0;
  std::map<std::size_t, std::uint64_t> oldest_;  // by ring
};

// From when on the records of all rings are complete: the youngest of the oldest records, over the rings that have
// overwritten some. `begin`: when recording began, for rings that have overwritten nothing.
std::uint64_t complete_from(const RecentRecords& records, const std::vector<RingFill>& fills, std::uint64_t begin);

}  // namespace perfsift::record
