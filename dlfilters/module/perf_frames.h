// The texts of frames, by what perf calls them.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "dlfilters/module/perf_sample.h"
#include "tools/profile/frame_namer.h"
#include "tools/profile/frame_table.h"

namespace perfsift::dlfilter {

// perf's texts are known by their address: see Texts. Not thread-safe.
class PerfFrames {
 public:
  // Of the style only the marks are ours to choose.
  PerfFrames(tools::FrameTable& frames, const tools::FrameStyle& style) : frames_(frames), style_(style) {}

  // Of frame `index` of the sample.
  tools::FrameId of(PerfSample& sample, std::size_t index);

 private:
  std::string mark(const PlaceName& name, bool kernel, bool guessed) const;

  tools::FrameTable& frames_;
  const tools::FrameStyle style_;
  std::map<std::tuple<const char*, const char*, bool, bool>, tools::FrameId> known_;
};

}  // namespace perfsift::dlfilter
