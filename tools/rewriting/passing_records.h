// Records of what passes: context switches, throttling, losses, counters. They tell of a moment, and matter only to
// samples around it, where others (names, mappings) matter to all that come later.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "dlfilters/core/time_ranges.h"
#include "reader/recording.h"

namespace perfsift::tools {

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
  explicit BorderSwitches(std::vector<const filter::TimeRanges*> parts)
      : parts_(std::move(parts)), found_(parts_.size()) {}

  // All switches, in the order of their positions.
  void look(const reader::Record& record, const reader::SampleId& id);
  // Of each part: the positions of the switches, ascending.
  std::vector<std::vector<std::uint64_t>> take();

 private:
  struct State {
    std::uint64_t time = 0, position = 0;  // of the last switch outside
    bool was_outside = false;              // there is one, and it was not kept
    bool inside = false;                   // the last switch was
  };

  std::vector<const filter::TimeRanges*> parts_;
  std::map<SwitchingThread, std::vector<State>> threads_;  // by part
  std::vector<std::vector<std::uint64_t>> found_;
};

}  // namespace perfsift::tools
