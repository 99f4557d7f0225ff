// One recording into several: which of them a sample goes to.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "filter/time_ranges.h"
#include "reader/recording.h"

namespace perfsift::analysis {

struct SplitRule {
  enum class By : std::uint8_t { nothing, pid, comm, event, cgroup, time };

  By by = By::nothing;
  std::uint64_t interval = 0;  // time: nanoseconds

  // "by=pid", "by=time:1s"; throws UsageError.
  static SplitRule parse(const std::string& text);
};

// Sorts the samples of one recording, for one thread.
class Splitter {
 public:
  Splitter(const SplitRule& rule, const reader::Recording& recording) : rule_(rule), recording_(recording) {}

  // The same number for samples of the same name, within this Splitter; more than one may have the same name.
  std::uint64_t number_of(const reader::Sample& sample) const;
  // What the sample's part is called: a pid, a thread's name, an event's, the path of a control group, the number of an
  // interval.
  std::string name_of(const reader::Sample& sample) const;
  // When samples of the same name are taken.
  filter::TimeRanges times_of(const reader::Sample& sample) const;

 private:
  std::uint64_t interval_of(const reader::Sample& sample) const;

  const SplitRule& rule_;
  const reader::Recording& recording_;
};

// `path` with a part's name before its extension, as a file can be called: "out.data" and "kworker/0:1" make
// "out.kworker_0_1.data". A name that is too long for a file system is cut and ends with a hash of the whole.
std::string path_of_part(const std::string& path, const std::string& part);

}  // namespace perfsift::analysis
