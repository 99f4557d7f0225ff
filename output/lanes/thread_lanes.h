// The samples of a profile by event and thread, in the order of their times. Viewers show a lane as a thread.
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
  std::int32_t pid = -1, tid = -1;  // -1: not known; both -1: the samples of unknown threads, added up by stack
  std::string comm;                 // in its last sample; for an idle thread with the CPU
  std::string process;              // the process's name: the name of its main thread, if that has samples
  std::vector<LaneSample> samples;

  bool is_of_unknown_threads() const { return pid < 0 && tid < 0; }
  // "comm PID/TID", or "comm TID" without a PID, or `title` for unknown threads. If there are several events, the event
  // is appended.
  std::string name(const ExportSource& source) const;
};

// The lanes in the order of the events, process and thread numbers. Lanes of unknown threads come last. `tree`: the
// tree of the source's profile, without event frames. The sum over all lanes is the sum of the profile.
std::vector<Lane> thread_lanes(const ExportSource& source, const analysis::CallTree& tree);

}  // namespace perfsift::output
