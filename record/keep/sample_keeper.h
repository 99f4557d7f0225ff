// The recorder's part of --keep: decides about each sample before it is written.
//
// A session gives each piece of a ring to kept_runs(), writes the runs, and now and then what take_dropped() gives:
// also before the end, so that a recorder that is killed has said what it dropped.
//
// Names of threads are those of the COMM and FORK records that came before. Records that say so lie in the ring of the
// CPU on which they happened, so a sample of another ring may be decided with the name before: rings with such records
// are drained first in each pass, up to where they ended when the heads of the other rings were read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "reader/format/event.h"
#include "reader/tracepoint.h"

namespace perfsift::record {

// An event as it was opened, and the recorder's part of the expression for its samples.
struct KeeperEvent {
  reader::EventAttr attr;
  std::vector<std::uint64_t> ids;
  std::string name;
  std::string pmu;         // see EventRequest::pmu
  bool drops_all = false;  // see KeptEvent
  std::string residual;    // see KeptEvent; empty: all samples are kept
};

// Not thread-safe.
class SampleKeeper {
 public:
  // `formats`: of the events' tracepoints; must live longer. `cpu_id`: the feature CPU_ID, for registers of AMD's IBS.
  // Throws UsageError for a residual that is no expression.
  SampleKeeper(const std::vector<KeeperEvent>& events, const reader::TracepointFormats& formats,
               const std::string& cpu_id = {});
  ~SampleKeeper();

  // Whether the record is written. Takes names from other records, and keeps all of them. Records that do not have the
  // layout of their event, and samples of unknown events, are kept and counted: readers say what they are.
  bool keeps(Bytes record);

  // Gives the records that are kept as few pieces, in order. Bytes that are no whole record end the last piece.
  template <typename Take>
  void kept_runs(Bytes records, Take&& take) {
    std::size_t begin = 0, end = 0;
    while (end < records.size()) {
      const std::size_t size = size_of_first(records.subspan(end));
      if (!keeps(records.subspan(end, size))) {
        if (end > begin) take(records.subspan(begin, end - begin));
        begin = end + size;
      }
      end += size;
    }
    if (end > begin) take(records.subspan(begin, end - begin));
  }

  struct Count {
    std::uint64_t kept = 0, dropped = 0;
  };
  const std::vector<Count>& counts() const;  // of samples, by event
  Count total() const;
  std::uint64_t not_understood() const;  // samples
  // Whether decisions depend on records of other rings: the names of threads, and the paths of cgroups.
  bool needs_all_rings() const;

  // LOST_SAMPLES records that say how many samples of each event were dropped since the last call. Readers know them
  // as samples that a filter dropped on purpose (misc::lost_samples_bpf).
  std::vector<std::byte> take_dropped();

 private:
  // The size by the header of the first record; all bytes if the header is wrong.
  static std::size_t size_of_first(Bytes records);

  class State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::record
