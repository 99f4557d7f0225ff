#include "analysis/gate/stored_file.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analysis/gate/stored_runs.h"
#include "analysis/input/pprof_fields.h"
#include "analysis/input/pprof_profile.h"
#include "analysis/profile/pprof_collector.h"
#include "base/error.h"

namespace perfsift::analysis {
namespace {

// By run.
std::map<std::uint32_t, std::uint64_t> samples_of_runs(const PprofProfile& profile) {
  const std::vector<PprofEvent> events = pprof_events(profile.sample_types());
  std::map<std::uint32_t, std::uint64_t> samples;
  const PprofStats stats = profile.visit([&](const PprofSample& sample) {
    std::uint32_t run = LoggedAmount::no_run;
    for (const PprofLabel& label : sample.labels) {
      if (label.key == pprof::label::run) run = static_cast<std::uint32_t>(label.number);
    }
    std::uint64_t& sum = samples[run];
    for (const PprofEvent& event : events) {
      if (event.count != PprofEvent::none) sum += static_cast<std::uint64_t>(sample.values[event.count]);
    }
  });
  if (stats.malformed != 0) throw InputError("a part of it cannot be read: " + stats.first_malformed);
  return samples;
}

}  // namespace

StoredFile stored_file(Bytes bytes) {
  if (!looks_like_pprof(bytes, false)) throw InputError("is no profile of pprof");
  const PprofProfile profile(bytes);
  const std::vector<std::string> comments(profile.comments().begin(), profile.comments().end());
  if (!has_runs(comments)) throw InputError("is a profile that perfsift did not store");
  StoredFile file;
  for (const Run& run : stored_runs(comments, samples_of_runs(profile))) {
    ++file.runs;
    if (run.stored_at) file.stored_at = std::max(file.stored_at.value_or(0), *run.stored_at);
  }
  return file;
}

}  // namespace perfsift::analysis
