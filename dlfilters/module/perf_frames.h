// The texts of frames, by what perf calls them.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "analysis/samples/frame_namer.h"
#include "analysis/samples/frame_table.h"
#include "dlfilters/module/perf_sample.h"

namespace perfsift::dlfilter {

// perf's texts are known by their address: see TextCopies. Not thread-safe.
class PerfFrames {
 public:
  // Only the marks of `style` count: the names are perf's.
  PerfFrames(analysis::FrameTable& frames, const analysis::FrameStyle& style) : frames_(frames), style_(style) {}

  // The number of frame `index` of the sample's stack.
  analysis::FrameId of(PerfSample& sample, std::size_t index);

 private:
  std::string mark(const LocationName& name, bool kernel, bool guessed) const;

  analysis::FrameTable& frames_;
  const analysis::FrameStyle style_;
  std::map<std::tuple<const char*, const char*, bool, bool>, analysis::FrameId> known_;
};

}  // namespace perfsift::dlfilter
