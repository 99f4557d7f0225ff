// What names the samples of overwritten rings: the records beside samples, kept in memory as long as a sample of the
// last seconds may need them.
//
//        state of A          state of B          state of C        state: what /proc said
//   ─────●───────────────────●───────────────────●──────────▶ now
//   gone │   generation A    │   generation B    │   generation C
//                            └── kept ───────────┴──────────┘
//
// A generation is the state at its start and all records since. A recording gets the state of the oldest generation
// that is kept, and the records of all of them: a process that has ended since then keeps its name and its mappings. A
// generation that has become large, and is older than the time that samples are kept, ends, and the one before it is
// dropped. So memory is bounded, whatever time passes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>

#include "base/byte_reader.h"
#include "reader/format/record.h"
#include "record/flight/record_store.h"

namespace perfsift::record {

struct SideBandLimits {
  std::chrono::nanoseconds window{};              // the time that samples are kept
  std::size_t generation = std::size_t{8} << 20;  // bytes of records, after which a generation may end
  std::size_t most = std::size_t{64} << 20;       // bytes of records, after which a generation ends in any case
};

// Whether a record of this type changes the names of later samples: then it counts as long as its generation.
bool names_later_samples(reader::RecordType type);

// Not thread-safe.
class SideBandLog {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Take = std::function<void(Bytes records)>;

  explicit SideBandLog(SideBandLimits limits) : limits_(limits) {}

  // True before the first generation.
  bool is_generation_due(Time now) const;
  // The records of ordinary rings must have been added up to now.
  void begin_generation(Time now);
  // What runs already at the start of the newest generation: records as of record::synthesise().
  void add_state(Bytes records);
  // Whole records of ordinary rings. Records that name or map nothing (switches, losses, samples) are kept for the
  // window only. A record with an impossible size ends the bytes.
  void add(Time now, Bytes records);

  // The state of the oldest generation.
  void give_state(const Take& take) const;
  // All records since, those of each ring in their order.
  void give_records(const Take& take) const;

  std::size_t bytes() const;
  // Generations that ended before the window had passed, because there were too many records: the processes that ended
  // in that time may lack their names.
  std::uint64_t cut_generations() const { return cut_; }
  // Processes that began, by FORK records, and have not ended, by EXIT records.
  const std::set<std::int32_t>& started_processes() const { return started_; }

 private:
  struct Generation {
    Time begin;
    RecordStore state, records;
  };
  struct Passing {
    Time time;
    RecordStore records;
  };

  void note_task(const reader::Record& record);
  void add_passing(Time now, Bytes record);
  void drop_passed(Time now);

  const SideBandLimits limits_;
  std::deque<Generation> generations_;  // at most two
  std::deque<Passing> passing_;         // by time
  std::size_t passing_bytes_ = 0;
  std::uint64_t cut_ = 0;
  std::set<std::int32_t> started_;
};

}  // namespace perfsift::record
