// Finds names for the data of cache lines. This happens after the lines are made, so only shown lines take the time.
#pragma once

#include "analysis/memory/cache_lines.h"
#include "analysis/memory/data_place.h"

namespace perfsift::analysis {

// Not thread-safe. The arguments must live longer.
class LineNames {
 public:
  LineNames(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const FrameTable& texts)
      : names_(recording, symbolizer, symbolize::DemangleStyle::plain), places_(recording, names_), texts_(texts) {}

  // Sets symbol, member and declaration of the offsets. `line`: a line of the recording.
  void describe(CacheLine& line);

 private:
  void describe(LineOffset& offset);

  CodeNames names_;
  DataPlaces places_;
  const FrameTable& texts_;
};

}  // namespace perfsift::analysis
