// The contents of a Recording.
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <perfsift/recording.h>

#include "filter/filter.h"
#include "library/naming.h"
#include "library/symbolizer_state.h"
#include "reader/recording.h"

namespace perfsift::v0::detail {

// Thread-safe, except visits of `recording`: see Visit.
class RecordingState {
 public:
  // Throws InputError.
  explicit RecordingState(const std::string& path);

  // The names of addresses, as the options want them. Lives as long as this object.
  Naming& naming(const std::optional<Symbolizer>& symbolizer, const NamingStyle& style);
  const std::shared_ptr<SymbolizerState>& symbolizer_of(const std::optional<Symbolizer>& symbolizer);

  // The counts of the recording, as they were after the last visit: a visit changes them.
  RecordingStats stats() const;

  const std::string path;
  const std::unique_ptr<reader::Recording> recording;
  std::vector<Event> events;

 private:
  friend class Visit;
  void note_stats();

  mutable std::mutex mutex_;
  RecordingStats stats_;
  std::shared_ptr<SymbolizerState> own_symbolizer_;
  std::list<Naming> namings_;
  std::atomic<bool> visited_ = false;
};

// A visit of the recording: there is one at a time. Throws Error (busy).
class Visit {
 public:
  explicit Visit(RecordingState& state);
  ~Visit();
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  RecordingState& state_;
};

// The filter for samples. Throws Error (usage) for a filter of intervals. Lives as long as `filter`.
const filter::Filter& sample_filter(const Filter& filter);
// The number of threads that an option means.
unsigned thread_count(unsigned wanted);

}  // namespace perfsift::v0::detail
