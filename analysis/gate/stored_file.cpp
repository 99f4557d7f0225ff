#include "analysis/gate/stored_file.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analysis/collect/pprof_collector.h"
#include "analysis/collect/pprof_labels.h"
#include "analysis/gate/stored_digest.h"
#include "analysis/gate/stored_runs.h"
#include "analysis/input/input_kind.h"
#include "analysis/input/pprof_profile.h"
#include "analysis/table/sample_row.h"
#include "base/error.h"

namespace perfsift::analysis {
namespace {

// By run.
std::map<std::uint32_t, std::uint64_t> samples_of_runs(const PprofProfile& profile) {
  const std::vector<PprofEvent> events = pprof_events(profile.sample_types());
  std::map<std::uint32_t, std::uint64_t> samples;
  PprofLabelReader labels;
  auto last = samples.end();
  const PprofStats stats = profile.visit([&](const PprofSample& sample) {
    const std::int32_t number = labels.read(sample).run;
    const std::uint32_t run = number < 0 ? SumRow::no_run : static_cast<std::uint32_t>(number);
    if (last == samples.end() || last->first != run) last = samples.try_emplace(run, 0).first;
    for (const PprofEvent& event : events) {
      if (event.count != PprofEvent::none) last->second += static_cast<std::uint64_t>(sample.values[event.count]);
    }
  });
  if (stats.malformed != 0) throw InputError("a part of it cannot be read: " + stats.first_malformed);
  return samples;
}

}  // namespace

StoredFile stored_file(Bytes bytes) {
  const Bytes first = bytes.first(std::min<std::size_t>(bytes.size(), input_kind_bytes));
  if (!looks_like_pprof(first, first.size() < bytes.size())) throw InputError("is no profile of pprof");
  const PprofProfile profile(bytes);
  const std::vector<std::string> comments(profile.comments().begin(), profile.comments().end());
  if (!agrees_with_digest(bytes, comments)) throw InputError(changed_text);
  if (!has_runs(comments)) throw InputError("is a profile that perfsift did not store");
  StoredFile file;
  for (const Run& run : stored_runs(comments, samples_of_runs(profile))) {
    ++file.runs;
    if (run.stored_at) file.stored_at = std::max(file.stored_at.value_or(0), *run.stored_at);
  }
  return file;
}

}  // namespace perfsift::analysis
