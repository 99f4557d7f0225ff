// The samples that a filter keeps, asked from the recordings of a page again.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/samples/stack_index.h"
#include "analysis/selection/kept_rows.h"
#include "tools/view/viewed.h"

namespace perfsift::tools {

// The path of an input. Throws UsageError if its samples cannot be filtered, or the file has changed.
const std::string& filtered_path(const PageReading& reading, std::size_t recording);

// Not thread-safe.
class FilteredRows {
 public:
  explicit FilteredRows(const Viewed& viewed) : viewed_(viewed) {}

  // For each recording of the page, in order: the number of bytes, as 4 bytes, the lowest first, and the bits of the
  // rows that are kept, the lowest first. `only`: the recording that is asked; the others then have no bytes. Throws
  // UsageError if the filter is wrong, or an input that is asked is no recording or has changed; and Stopped.
  std::string kept_bits(const std::string& filter, std::optional<std::size_t> only, const analysis::StopFlag& stop);
  // kept_bits() for the intervals of PageRecording::waits. Throws UsageError also for a filter that needs samples.
  std::string kept_wait_bits(const std::string& filter, const analysis::StopFlag& stop);
  // Reads what the first question about stacks would have to wait for. Throws Stopped.
  void prepare(const analysis::StopFlag& stop);

 private:
  struct Source {
    std::unique_ptr<reader::Recording> recording;
    analysis::RowFinder finder;
    std::optional<analysis::StackIndex> index = {};
    bool is_indexed = false;  // even if there is no index, because the stacks are too many
  };
  Source& source(std::size_t number);
  // Empty for a recording without PageRecording::waits.
  std::vector<bool> kept_waits_of(std::size_t recording, const filter::Filter& filter, const analysis::StopFlag& stop);
  // nullptr: there is none.
  const analysis::StackIndex* index(Source& source, const analysis::StopFlag& stop);

  const Viewed viewed_;
  std::map<std::size_t, Source> sources_;
};

}  // namespace perfsift::tools
