// Recordings of what happened around spikes, cut out of the whole one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/offcpu/interval.h"
#include "analysis/rewrite/time_windows.h"
#include "output/recording/parts_writer.h"
#include "reader/recording.h"

namespace perfsift::tools {

class SpikeRecordings {
 public:
  // The mark in `path` for the number of a spike, counted from 1, so that each spike gets a recording of its own.
  // Without the mark there is one recording of all.
  static constexpr const char* number_mark = "%n";

  // `around`: nanoseconds before a spike begins and after it ends. The recording, which is no stream, must live longer.
  SpikeRecordings(reader::Recording& recording, std::string path, std::uint64_t around);

  // Returns the path of the recording it will be in.
  std::string add(const offcpu::Interval& spike);

  // Reads the recording again. Throws Error where one cannot be written.
  void write();
  // The samples that write() has written.
  std::uint64_t samples() const;
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  bool one_each() const { return path_.find(number_mark) != std::string::npos; }
  std::string path_of(std::size_t number) const;

  reader::Recording& recording_;
  const std::string path_;
  const std::uint64_t around_;
  std::vector<analysis::TimeWindow> windows_;
  std::vector<output::WrittenPart> parts_;
  std::vector<std::string> warnings_;
};

}  // namespace perfsift::tools
