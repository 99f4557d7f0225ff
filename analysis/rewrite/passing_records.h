// Passing records: context switches, throttling, losses, counters. A passing record is about one moment and matters
// only to samples near this moment; other records (names, mappings) matter to all later samples.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "filter/time_ranges.h"
#include "reader/recording.h"

namespace perfsift::analysis {

bool is_passing(reader::RecordType type);
bool is_switch(reader::RecordType type);

// A thread; for idle threads, which share tid 0, the idle thread of a CPU.
using SwitchingThread = std::pair<std::int32_t, std::int32_t>;
SwitchingThread switching_thread(const reader::SampleId& id);

// The switches next to time ranges, which show what threads did at the borders: for each thread that switches within a
// range, the last switch before the range and the first switch after it. Not thread-safe.
class BorderSwitches {
 public:
  // `parts`: the time ranges of each output, which must live longer.
  explicit BorderSwitches(std::vector<const filter::TimeRanges*> parts) : parts_(std::move(parts)) {}

  // Must be called for all switches, in any order: the later switches of a thread that moves to another CPU may come
  // first in the file.
  void look(const reader::Record& record, const reader::SampleId& id);
  // The positions of the switches of each part, ascending.
  std::vector<std::vector<std::uint64_t>> take();

 private:
  // Ordered by time, then by position.
  struct Switch {
    std::uint64_t time = 0, position = 0;
    auto operator<=>(const Switch&) const = default;
  };
  // The first and the last switch of a thread within one time range of a part, or between two time ranges.
  struct Outermost {
    std::size_t place = 0;  // 2n: between ranges n - 1 and n; 2n + 1: in range n
    Switch first, last;
    bool inside() const { return place % 2 != 0; }
  };
  // The outermost switches of one thread, for one part.
  class SwitchesOfThread {
   public:
    void add(std::size_t place, const Switch& found);
    // Ascending by place, each place once.
    const std::vector<Outermost>& in_order();

   private:
    std::vector<Outermost> found_;  // a place may come several times
    std::size_t most_ = 16;         // limit of found_ before the next sort
  };

  std::vector<const filter::TimeRanges*> parts_;
  std::map<SwitchingThread, std::vector<SwitchesOfThread>> threads_;  // by part
};

}  // namespace perfsift::analysis
