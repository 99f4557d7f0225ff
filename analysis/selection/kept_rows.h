// Finds which samples of a recording a filter keeps, as rows of a SampleIndex. The recording is read again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/samples/recording_facts.h"
#include "analysis/selection/row_set.h"
#include "analysis/selection/sample_index.h"
#include "analysis/selection/stop_flag.h"
#include "base/hinted_search.h"
#include "filter/filter.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// The rows of a table by the positions of their records.
class RowFinder {
 public:
  explicit RowFinder(const SampleIndex& table);

  // A place in the order of the positions.
  using Hint = std::size_t;
  // Calls found(row) for each row of the record at `position`. Fast for positions shortly behind the position of the
  // last call with this hint.
  template <typename Found>
  void for_each_row(std::uint64_t position, Hint& hint, Found&& found) const {
    for (hint = first_from(positions_, position, hint); hint < rows_.size() && positions_[hint] == position; ++hint)
      found(rows_[hint]);
  }

 private:
  LargeVector<std::uint64_t> positions_;  // ascending
  LargeVector<std::uint32_t> rows_;
};

struct KeptRowsQuestion {
  reader::Recording& recording;  // the recording from which the table was made; not a stream
  symbolize::Symbolizer& symbolizer;
  const SampleIndex& table;
  const RowFinder& finder;
  // The event of the table's profile under which samples of an event were counted. Nothing for other events.
  std::function<std::optional<EventId>(const reader::Event& event)> event_of;
  FilterStacks stacks;
  unsigned threads = 1;
};

// The rows that the filter keeps. Nothing if it keeps all samples. Throws UsageError if the filter does not fit the
// recording, and Stopped. Only one call at a time may use a recording.
std::shared_ptr<const RowSet> kept_rows(const KeptRowsQuestion& question, const filter::Filter& filter,
                                        const StopFlag& stop);

}  // namespace perfsift::analysis
