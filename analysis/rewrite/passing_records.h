// Records of what passes: context switches, throttling, losses, counters. They tell of a moment, and matter only to
// samples around it, where others (names, mappings) matter to all that come later.
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

// A thread; of the idle ones, which share a number, that of a CPU.
using SwitchingThread = std::pair<std::int32_t, std::int32_t>;
SwitchingThread switching_thread(const reader::SampleId& id);

// The switches around stretches of time that say what threads did where these begin and end: of each thread that
// switches in such a stretch the last one before, and the first one behind. Not thread-safe.
class BorderSwitches {
 public:
  // `parts`: the stretches of each output; must live longer.
  explicit BorderSwitches(std::vector<const filter::TimeRanges*> parts) : parts_(std::move(parts)) {}

  // All switches, in any order: a thread that changes to another CPU may have its later switches first in the file.
  void look(const reader::Record& record, const reader::SampleId& id);
  // Of each part: the positions of the switches, ascending.
  std::vector<std::vector<std::uint64_t>> take();

 private:
  // By time; at the same time by position.
  struct Switch {
    std::uint64_t time = 0, position = 0;
    auto operator<=>(const Switch&) const = default;
  };
  // The outermost switches of a thread in one stretch of a part, or between two of them.
  struct Outermost {
    std::size_t place = 0;  // 2n: before stretch n, and behind the one before it; 2n + 1: in stretch n
    Switch first, last;
    bool inside() const { return place % 2 != 0; }
  };
  // Those of one thread, for one part.
  class SwitchesOfThread {
   public:
    void add(std::size_t place, const Switch& found);
    // Ascending, each place once.
    const std::vector<Outermost>& in_order();

   private:
    std::vector<Outermost> found_;  // a place may come several times
    std::size_t most_ = 16;         // of found_, before it is put in order
  };

  std::vector<const filter::TimeRanges*> parts_;
  std::map<SwitchingThread, std::vector<SwitchesOfThread>> threads_;  // by part
};

}  // namespace perfsift::analysis
