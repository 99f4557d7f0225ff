// The memory accesses of a store as an input of perfsift mem: see store/url.h for addresses of stores.
#pragma once

#include <string>

#include "analysis/memory/memory_collector.h"
#include "filter/filter.h"
#include "output/memory/memory_notes.h"
#include "tools/terminal.h"

namespace perfsift::tools {

// Not thread-safe.
class StoredMemory {
 public:
  // Throws UsageError for a filter, which a store cannot follow.
  StoredMemory(const std::string& url, const filter::Filter& filter);

  // The sums of the accesses that the address chooses. Their stacks become stacks of the profile, if the options ask
  // for them. Throws InputError, and UsageError for keys that need addresses.
  analysis::MemoryTotals collect(analysis::Profile& profile, const analysis::MemoryOptions& options,
                                 Progress& progress);
  // After collect().
  output::NotedRecording noted() const;
  [[noreturn]] void refuse_single_accesses() const;

 private:
  [[noreturn]] void refuse(std::string_view why) const;

  const std::string url_;
  bool knows_nodes_ = false;
};

}  // namespace perfsift::tools
