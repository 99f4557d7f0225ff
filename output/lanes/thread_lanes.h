// The samples of a profile by event and thread, in the order of their times: what viewers show as threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "output/export_source.h"

namespace perfsift::output {

struct LaneSample {
  std::uint64_t time = 0;  // nanoseconds; reader::no_time: not recorded
  analysis::CallTree::Node node = analysis::CallTree::root;
  std::int32_t cpu = -1;
  analysis::Amount amount;
};

struct Lane {
  analysis::EventId event = 0;
  std::int32_t pid = -1, tid = -1;  // -1: not known; both: samples of unknown threads, added up by stack
  std::string comm;                 // of its last sample; with the CPU, if it is an idle thread
  std::string process;              // the name of the process: of its main thread, if that has samples
  std::vector<LaneSample> samples;

  bool is_of_unknown_threads() const { return pid < 0 && tid < 0; }
  // "comm PID/TID", without a PID "comm TID", or `title` for unknown threads; with the event, if there are several.
  std::string name(const ExportSource& source) const;
};

// In the order of the events, process and thread numbers; lanes of unknown threads come last. `tree`: of the source's
// profile, without event frames. The sum over all lanes is the sum of the profile.
std::vector<Lane> thread_lanes(const ExportSource& source, const analysis::CallTree& tree);

}  // namespace perfsift::output
