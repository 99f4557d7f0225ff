// Which samples are kept: all that writing a filtered recording needs to know of filters.
#pragma once

#include <functional>
#include <memory>

#include "reader/recording.h"

namespace perfsift::tools {

// Decides about samples, for one thread.
class SampleSelection {
 public:
  virtual ~SampleSelection() = default;
  virtual bool keeps(const reader::Sample& sample) = 0;
};

// Makes a selection for one thread. Called by several threads at once.
using SelectionFactory = std::function<std::unique_ptr<SampleSelection>()>;
// The factory for one recording, which lives longer than what it makes. Throws UsageError when what was asked for
// cannot be asked of this recording.
using SelectionOf = std::function<SelectionFactory(const reader::Recording& recording)>;

}  // namespace perfsift::tools
