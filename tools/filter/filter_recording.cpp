#include "tools/filter/filter_recording.h"

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/format.h>

#include "analysis/rewrite/anonymizer.h"
#include "analysis/samples/thread_cgroups.h"
#include "base/error.h"
#include "output/recording/live_filter.h"
#include "output/recording/recording_sink.h"
#include "tools/diagnostics.h"
#include "tools/input_profile.h"
#include "tools/reading_options.h"

namespace perfsift::tools {
namespace {

// The number of records in any of the parts: a record that reads counters of several events may be in several.
std::uint64_t count_kept(const std::vector<analysis::KeptSamples>& parts) {
  if (parts.size() == 1) return parts.front().positions.size();
  LargeVector<std::uint64_t> all;
  for (const analysis::KeptSamples& part : parts) all.insert(all.end(), part.positions.begin(), part.positions.end());
  std::ranges::sort(all);
  return static_cast<std::uint64_t>(std::unique(all.begin(), all.end()) - all.begin());
}

std::vector<std::string> warnings_about(const reader::Recording& recording, const FilterTask& task) {
  std::vector<std::string> warnings;
  if (recording.stats().records.contains(reader::RecordType::auxtrace)) {
    warnings.push_back("AUX data (Intel PT, ARM SPE, …) is kept whole: samples made of it are not filtered");
  }
  if (task.anonymize) {
    if (const std::string what = analysis::unmasked(recording); !what.empty()) {
      warnings.push_back("--anonymize leaves " + what + " as they are: they may contain names");
    }
  }
  return warnings;
}

// Checked during the visit: the events of a stream come with its records.
void check_split(const analysis::SplitRule& split, const reader::Recording& recording) {
  if (split.by == analysis::SplitRule::By::cgroup && !analysis::records_cgroups(recording)) {
    throw UsageError(recording.path() +
                     ": --split by=cgroup: no control groups were recorded; record with --all-cgroups");
  }
}

// The names of two parts may differ only in characters that a file name cannot have.
void name_parts(const std::vector<analysis::KeptSamples>& parts, const std::string& output, const FilterTask& task,
                FilterResult& result) {
  std::set<std::string> taken;
  for (const analysis::KeptSamples& part : parts) {
    const bool whole = task.split.by == analysis::SplitRule::By::nothing;
    std::string path = whole ? output : analysis::path_of_part(output, part.part);
    for (int i = 2; !taken.insert(path).second; ++i)
      path = analysis::path_of_part(output, fmt::format("{}-{}", part.part, i));
    if (!whole) task.files.writes(path);
    result.parts.push_back({.path = path, .part = part.part, .kept = part.positions.size()});
  }
}

// Whether a stream need not be stored: it is read once, and nothing must be known of it in advance.
bool can_be_live(const FilterTask& task, const std::string& output) {
  return output::takes_pipe_form(output) && !task.dry_run && task.split.by == analysis::SplitRule::By::nothing &&
         !task.prune && !task.anonymize && !task.filter.uses_windows() && !task.filter.uses_shares();
}

void take_stats(const reader::Recording& recording, FilterResult& result) {
  result.stats = recording.stats();
  result.samples = result.stats.samples();
}

void filter(const std::string& output, const FilterTask& task, unsigned threads, Progress& progress,
            FilterResult& result) {
  reader::OpenOptions options = open_options(result.input, progress);
  options.store_stream = !can_be_live(task, output);
  const auto recording = open_recording(result.input, options);
  task.options.check_events(*recording);
  analysis::RecordingFilter wanted(*recording, task.symbolizer, task.filter, {});
  wanted.prepare(threads);
  if (recording->streamed()) {
    const output::LiveResult live = output::filter_live(*recording, wanted, output, task.compression_level);
    take_stats(*recording, result);
    result.kept = live.kept;
    result.parts.push_back({.path = output, .part = {}, .kept = live.kept, .bytes = live.bytes});
    return;
  }

  const auto parts = analysis::find_kept_samples(*recording, wanted, task.split, threads);
  take_stats(*recording, result);
  check_split(task.split, *recording);
  result.kept = count_kept(parts);
  result.warnings = warnings_about(*recording, task);
  name_parts(parts, output, task, result);
  if (task.dry_run) return;
  output::PartsWriter writer(*recording, {.compression_level = task.compression_level,
                                          .anonymize = task.anonymize ? &*task.anonymize : nullptr,
                                          .prune = task.prune});
  writer.write(parts, result.parts);
  result.warnings.insert(result.warnings.end(), writer.warnings().begin(), writer.warnings().end());
}

}  // namespace

FilterResult filter_recording(const std::string& input, const std::string& output, const FilterTask& task,
                              unsigned threads, Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  FilterResult result{.input = input};
  try {
    filter(output, task, threads, progress, result);
  } catch (const UsageError& error) {
    result.error = error.what();
    result.error_status = wrong_usage;
  } catch (const Error& error) {
    result.error = error.what();
    result.error_status = input_unusable;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace perfsift::tools
