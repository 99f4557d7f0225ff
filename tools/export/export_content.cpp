#include "tools/export/export_content.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/gate/stored_runs.h"
#include "analysis/profile/lost_frames.h"
#include "analysis/profile/recursion.h"
#include "analysis/profile/time_span.h"
#include "base/path.h"
#include "output/quality/quality_lines.h"
#include "tools/profile/shown_events.h"

namespace perfsift::tools {
namespace {

using analysis::RecordingDescription;

// The events that have samples: in the order of the inputs, then those that only the profile has.
std::vector<analysis::EventId> events_in_order(const analysis::Profile& profile, const analysis::SampleTable& table,
                                               const std::vector<InputReport>& reports) {
  // Samples without frames are in the table only.
  std::set<analysis::EventId> with_samples;
  for (const analysis::EventId event : profile.events_with_stacks()) with_samples.insert(event);
  const auto all_known = [&] { return with_samples.size() == profile.events().size(); };
  for (std::size_t i = 0; i < table.samples().size() && !all_known(); ++i)
    with_samples.insert(table.samples()[i].event);
  for (std::size_t i = 0; i < table.sums().size() && !all_known(); ++i) with_samples.insert(table.sums()[i].event);
  std::vector<analysis::EventId> events(with_samples.begin(), with_samples.end());
  std::vector<std::string> order;
  for (const InputReport& report : reports) order.insert(order.end(), report.events.begin(), report.events.end());
  const auto key = [&](analysis::EventId event) {
    const std::string& name = profile.events()[event];
    return std::pair(std::ranges::find(order, name) - order.begin(), name);
  };
  std::ranges::sort(events, {}, key);
  return events;
}

// The name of the process with most samples, and of the binary that has this name.
std::string busiest_binary(const analysis::Profile& profile, const analysis::SampleTable& table) {
  std::map<std::string_view, std::uint64_t> samples;
  std::vector<std::uint64_t> by_context = table.summary().of_context();
  by_context.resize(table.contexts().size());
  for (const analysis::SumRow& sum : table.sums()) {
    if (sum.context != analysis::SumRow::no_context) by_context[sum.context] += sum.amount.samples;
  }
  for (std::size_t i = 0; i < by_context.size(); ++i) {
    const analysis::SampleContext& context = table.contexts()[i];
    const auto process = table.process_names().find(context.pid);
    samples[process != table.process_names().end() ? process->second : context.comm] += by_context[i];
  }
  const auto busiest = std::ranges::max_element(samples, {}, [](const auto& entry) { return entry.second; });
  if (busiest == samples.end() || busiest->first.empty()) return {};
  constexpr std::size_t longest_comm = 15;
  std::string path;
  for (const analysis::FrameBinary& binary : profile.frames().binaries()) {
    if (base_name(binary.path).substr(0, longest_comm) != busiest->first) continue;
    if (path.empty() || binary.path < path) path = binary.path;
  }
  return path;
}

// Comments of a pprof profile on its recording, but not on stored runs or quality, which are shown elsewhere.
std::vector<std::string> told_comments(const InputReport& report) {
  const auto* const pprof = report.get<PprofReport>();
  if (pprof == nullptr || analysis::has_runs(pprof->comments)) return {};
  std::vector<std::string> comments = pprof->comments;
  std::erase_if(comments, output::is_quality_line);
  return comments;
}

// The comments of perf_to_profile, and what the recording lacks.
std::vector<std::string> comments_of(const std::vector<InputReport>& reports) {
  std::vector<std::string> comments;
  for (const InputReport& report : reports) {
    for (const std::string& comment : told_comments(report)) comments.push_back(comment);
    const auto* const own = report.get<RecordingReport>();
    if (own == nullptr) continue;
    const RecordingDescription& recording = own->description;
    if (!recording.perf_version.empty()) comments.push_back("perf-version:" + recording.perf_version);
    if (!recording.command.empty())
      comments.push_back(fmt::format("perf-command:{}", fmt::join(recording.command, " ")));
  }
  for (const std::string& line : output::quality_lines(quality_of(reports))) comments.push_back(line);
  return comments;
}

std::string title_of(const std::vector<InputReport>& reports) {
  const std::string& first = reports.front().path;
  if (reports.size() == 1) return first == "-" ? "perf.data" : std::string(base_name(first));
  return fmt::format("{} and {} more", base_name(first), reports.size() - 1);
}

// The span of everything with a time in the source.
analysis::TimeSpan time_span(const std::vector<InputReport>& reports, const output::ExportSource& source) {
  analysis::TimeSpan span;
  for (const InputReport& report : reports) span.add(report.sampled_time);
  for (const offcpu::CpuSlice& slice : source.slices) span.add(slice.from), span.add(slice.until);
  for (const reader::LostAt& lost : source.lost) span.add(lost.time);
  for (const reader::ThrottleWindow& window : source.throttled) span.add(window.from), span.add(window.until);
  return span;
}

// Call it when the source has all that is shown. pprof adds durations up in this way, without what lies between inputs.
void set_times(const std::vector<InputReport>& reports, output::ExportSource& source) {
  for (const InputReport& report : reports) source.duration += report.duration;
  const analysis::TimeSpan span = time_span(reports, source);
  if (span.empty()) return;
  source.first_time = span.first;
  source.last_time = span.last;
  const auto* const recording = reports.size() == 1 ? reports.front().get<RecordingReport>() : nullptr;
  if (recording == nullptr) return;
  if (const auto offset = recording->description.wall_clock_offset)
    source.recorded_at = static_cast<std::uint64_t>(*offset) + span.first;
}

// When a profile of pprof or a store began, in nanoseconds since 1970; 0: not known. Nothing for other inputs.
std::optional<std::uint64_t> beginning_of(const InputReport& report) {
  if (const auto* const pprof = report.get<PprofReport>()) return pprof->recorded_at;
  if (const auto* const stored = report.get<StoreReport>()) return stored->began;
  return std::nullopt;
}

// Joined profiles begin with the earliest one, as in pprof itself.
void set_start_of_profiles(const std::vector<InputReport>& reports, output::ExportSource& source) {
  if (!std::ranges::all_of(reports, [](const auto& report) { return beginning_of(report).has_value(); })) return;
  for (const InputReport& report : reports) {
    const std::uint64_t recorded_at = *beginning_of(report);
    if (recorded_at != 0) source.recorded_at = std::min(source.recorded_at.value_or(recorded_at), recorded_at);
  }
}

void add_recorded(const std::vector<InputReport>& reports, output::ExportSource& source) {
  for (const InputReport& report : reports) {
    const auto* const recording = report.get<RecordingReport>();
    if (recording == nullptr) continue;
    const auto& [lost, throttled] = std::tie(recording->stats.lost_at, recording->stats.throttled);
    source.lost.insert(source.lost.end(), lost.begin(), lost.end());
    source.throttled.insert(source.throttled.end(), throttled.begin(), throttled.end());
    if (source.machine.empty()) source.machine = recording->description.machine;
  }
  if (!reports.empty()) source.period = reports.front().period;
}

}  // namespace

ExportContent::ExportContent(const ExportFormat& format, const FormatOptions& options)
    : shape_{.grain = format.in_order || options.labels.timestamp ? analysis::Grain::sample : analysis::Grain::context,
             .in_order = format.in_order,
             .labels = format.labels && options.labels.other},
      one_measure_(format.one_measure) {}

void ExportContent::read(ProfileCommand& inputs, const analysis::StackOptions& stacks, bool lost_frames) {
  weight_ = stacks.weight;
  analysis::TableBuilder rows(shape_);
  inputs.read(profile_, stacks, &rows);
  if (one_measure_) inputs.keep_shown_events(profile_);
  if (lost_frames) analysis::add_lost_frames(inputs.quality(), stacks.weight, profile_);
  table_ = one_measure_ ? std::move(rows).seal() : std::move(rows).seal(profile_);
}

InputReport ExportContent::read(const std::string& path, ProfileReading reading) {
  weight_ = reading.stacks.weight;
  analysis::TableBuilder rows(shape_);
  reading.rows = &rows;
  InputReport report = read_into_profile(path, profile_, reading);
  analysis::collapse_recursion(profile_, reading.stacks.shape);
  table_ = std::move(rows).seal(profile_);
  return report;
}

void ExportContent::read_cpu_slices(const ProfileCommand& inputs) {
  for (const InputReport& report : inputs.reports()) {
    const bool is_file = report.path != "-" && report.usable();
    if (!is_file || report.kind != analysis::InputKind::recording) continue;
    const auto recording = reader::Recording::open(report.path);
    if (recording->streamed()) continue;
    for (offcpu::CpuSlice& slice : offcpu::cpu_slices(*recording)) slices_.push_back(std::move(slice));
  }
}

output::ExportSource ExportContent::source(const std::vector<InputReport>& reports, unsigned threads) const {
  output::ExportSource source{.profile = profile_, .table = table_};
  source.events = events_in_order(profile_, table_, reports);
  source.shown = shown_events(profile_, reports);
  source.comments = comments_of(reports);
  source.title = title_of(reports);
  source.main_binary = busiest_binary(profile_, table_);
  source.weight = weight_;
  source.one_recording = reports.size() == 1;
  source.slices = slices_;
  source.threads = threads;
  add_recorded(reports, source);
  set_times(reports, source);
  set_start_of_profiles(reports, source);
  return source;
}

}  // namespace perfsift::tools
