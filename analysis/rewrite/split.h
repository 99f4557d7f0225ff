// Splits one recording into several: finds the part of each sample.
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
  std::uint64_t interval = 0;  // for By::time, nanoseconds

  // "by=pid", "by=time:1s"; throws UsageError.
  static SplitRule parse(const std::string& text);
};

// Assigns the samples of one recording to parts. Not thread-safe: one per thread.
class Splitter {
 public:
  Splitter(const SplitRule& rule, const reader::Recording& recording) : rule_(rule), recording_(recording) {}

  // A number for the sample's part, valid within this Splitter. Equal numbers mean equal names, but several numbers may
  // have the same name.
  std::uint64_t number_of(const reader::Sample& sample) const;
  // The name of the sample's part: a pid, the name of a thread or an event, the path of a control group, or the number
  // of an interval.
  std::string name_of(const reader::Sample& sample) const;
  // The times at which samples of this part can occur.
  filter::TimeRanges times_of(const reader::Sample& sample) const;

 private:
  std::uint64_t interval_of(const reader::Sample& sample) const;

  const SplitRule& rule_;
  const reader::Recording& recording_;
};

// `path` with the part's name, made safe for a file name, before the extension: "out.data" and "kworker/0:1" give
// "out.kworker_0_1.data". A name that is too long for a file system is cut and ends with a hash of the whole name.
std::string path_of_part(const std::string& path, const std::string& part);

}  // namespace perfsift::analysis
