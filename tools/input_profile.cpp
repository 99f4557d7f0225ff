#include "tools/input_profile.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "analysis/collect/text_collector.h"
#include "analysis/input/line_splitter.h"
#include "analysis/profile/stack_sums.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/share_work.h"
#include "store/url.h"
#include "tools/diagnostics.h"
#include "tools/pprof_input.h"
#include "tools/reading_options.h"
#include "tools/store_input.h"

namespace perfsift::tools {
namespace {

analysis::Quality quality_of(const analysis::StackCollector& collector, const analysis::FrameTable& frames,
                             const reader::Recording& recording) {
  static const std::string unknown = "[unknown]";
  const analysis::CollectCounts& counts = collector.counts();
  analysis::Quality quality;
  quality.add_recorded(recording.stats());
  quality.samples = counts.samples;
  quality.callchains = counts.callchains;
  quality.truncated_stacks = counts.truncated;
  quality.frames = counts.frames;
  quality.interrupts = counts.interrupts;
  collector.ends().count(counts.ends, quality);
  for (std::size_t i = 1; i < counts.remarks.size(); ++i) {
    if (counts.remarks[i] == 0) continue;
    const analysis::CodeRemark& remark = collector.remarks()[i];
    if (remark.frameless) quality.lost_callers[std::string(frames.text(*remark.frameless))] += counts.remarks[i];
    if (remark.reason == symbolize::Missing::none) continue;
    const bool mapped = remark.binary != CodeAddress::no_binary;
    const std::string& path = mapped ? recording.timeline().binaries()[remark.binary].path : unknown;
    quality.unresolved[{.binary = path, .reason = remark.reason}] += counts.remarks[i];
  }
  return quality;
}

void read_recording(std::unique_ptr<reader::Recording> recording, analysis::Profile& profile,
                    const ProfileReading& reading, InputReport& report) {
  analysis::StackCollector collector(
      *recording, reading.symbolizer, profile, reading.stacks,
      [&](const reader::Event& event) { return reading.events(event.name); }, reading.filter);
  if (reading.rows != nullptr) collector.add_rows_to(*reading.rows);
  collector.collect(reading.threads);
  report.sampled_time = collector.sampled_time();
  report.duration = report.sampled_time.length();
  for (const auto& event : recording->events()) report.events.push_back(event->name);
  if (!recording->events().empty()) {
    const auto& attr = recording->events().front()->attr;
    (attr.freq() ? report.period.frequency : report.period.number) = attr.sample_period;
  }
  report.warnings = not_decoded(*recording);
  if (auto warning = collector.code_versions().warning(); !warning.empty())
    report.warnings.push_back(std::move(warning));
  if (reading.stacks.cgroup && !analysis::records_cgroups(*recording)) {
    report.warnings.push_back("no control groups were recorded (perf record --all-cgroups does)");
  }
  report.quality = quality_of(collector, profile.frames(), *recording);
  report.samples = report.quality.sample_records;
  report.kept = collector.counts().samples - collector.counts().without_stack;
  RecordingReport own{.description = analysis::describe(*recording), .compiled = {}, .stats = recording->stats()};
  if (reading.runs) own.compiled = analysis::compiled_binaries(*recording, reading.symbolizer);
  report.own = std::move(own);
  if (reading.afterwards) reading.afterwards(*recording, report);
}

reader::OpenOptions recording_options(const std::string& path, const ProfileReading& reading) {
  reader::OpenOptions options = open_options(path, reading.progress);
  options.trace_events.instructions = true;
  return options;
}

void read_script_text(reader::InputFile input, analysis::Profile& profile, const ProfileReading& reading,
                      InputReport& report) {
  std::set<std::string, std::less<>> seen;
  analysis::ScriptTextCollector collector(profile, reading.stacks, [&](std::string_view event) {
    seen.emplace(event);
    return reading.events(event);
  });
  if (reading.rows != nullptr) collector.add_rows_to(*reading.rows);
  const auto progress = open_options(report.path, reading.progress).progress;
  read_lines(
      std::move(input), [&](std::string_view line) { collector.line(line); }, progress);
  collector.finish();
  report.sampled_time = collector.sampled_time();
  report.duration = report.sampled_time.length();
  report.events.assign(seen.begin(), seen.end());
  report.first_event = collector.most_sampled_event();
  report.own = collector.stats();
  report.samples = collector.stats().samples;
  report.kept = collector.kept();
  report.quality.interrupts = collector.interrupts();
}

void read_folded_text(reader::InputFile input, analysis::Profile& profile, const ProfileReading& reading,
                      InputReport& report) {
  const Bytes first = reader::peek(input, analysis::input_kind_bytes);
  const analysis::FoldedCounts counts = analysis::folded_counts(
      {reinterpret_cast<const char*>(first.data()), first.size()}, first.size() == analysis::input_kind_bytes);
  analysis::FoldedTextCollector collector(profile, reading.stacks.frames.detail, counts, reading.events,
                                          reading.stacks.shape.interrupts);
  if (counts == analysis::FoldedCounts::two) report.events = {analysis::counts_before, analysis::counts_after};
  const auto progress = open_options(report.path, reading.progress).progress;
  read_lines(
      std::move(input), [&](std::string_view line) { collector.line(line); }, progress);
  report.own = FoldedTextReport{.stats = collector.stats(), .counts = counts};
  report.samples = collector.stats().with_samples;
  report.kept = report.samples - collector.stacks_left_out();
  report.quality.interrupts = collector.interrupts();
}

void read_pprof(reader::InputFile input, analysis::Profile& profile, const ProfileReading& reading,
                InputReport& report) {
  PprofInput pprof(std::move(input));
  const std::uint32_t first_stack = profile.stack_count();
  pprof.start(profile, reading);
  pprof.collect(first_stack, reading.rows, report);
}

InputReport try_to_read(const std::string& path, analysis::Profile& profile, const ProfileReading& reading) {
  try {
    return read_into_profile(path, profile, reading);
  } catch (const InputError& error) {
    InputReport report{.path = path};
    report.error = error.what();
    return report;
  }
}

InputError reads_recordings_only(const std::string& path, analysis::InputKind kind) {
  return InputError(fmt::format(
      "{}: is {}, and this command reads recordings of perf record only (report, flame, fold and diff read it)", path,
      analysis::kind_name(kind)));
}

// Each thread takes one input after the other.
std::vector<InputReport> read_many(const std::vector<std::string>& paths, analysis::Profile& profile,
                                   const ProfileReading& reading) {
  std::vector<InputReport> reports(paths.size());
  share_work(reading.threads, paths.size(), [&](unsigned, Tasks& inputs) {
    analysis::StackSums sums(profile);
    Progress none(-1, {});
    const ProfileReading alone{reading.symbolizer, reading.stacks, reading.events, reading.filter, 1, none};
    while (const auto i = inputs.next()) {
      reading.progress.show([&] { return fmt::format("reading file {} of {}", *i + 1, paths.size()); });
      analysis::Profile one;
      reports[*i] = try_to_read(paths[*i], one, alone);
      sums.add(one);
    }
  });
  return reports;
}

}  // namespace

bool any_usable(std::span<const InputReport> reports) { return std::ranges::any_of(reports, &InputReport::usable); }

bool are_several_recordings(std::span<const InputReport> reports) {
  return reports.size() > 1 || (!reports.empty() && reports.front().recordings() > 1);
}

analysis::Quality quality_of(std::span<const InputReport> reports) {
  analysis::Quality quality;
  for (const InputReport& report : reports) quality.add(report.quality);
  return quality;
}

analysis::InputKind kind_of(reader::InputFile& input) {
  constexpr std::size_t magic_size = 16;  // so that a slow stream is not waited for longer than it takes
  analysis::InputKind kind = analysis::input_kind(reader::peek(input, magic_size));
  if (kind != analysis::InputKind::recording)
    kind = analysis::input_kind(reader::peek(input, analysis::input_kind_bytes));
  if (kind == analysis::InputKind::unknown || kind == analysis::InputKind::compressed) {
    const bool is_empty = reader::peek(input, magic_size).empty();
    if (const std::string damage = input.source == nullptr ? "" : input.source->damage(); !damage.empty())
      throw InputError(input.path + ": " + damage);
    if (is_empty) throw InputError(reader::nothing_in(input.path));
    const std::string_view why = analysis::why_unusable(reader::peek(input, analysis::input_kind_bytes));
    throw InputError(fmt::format("{}: {}", input.path, why));
  }
  return kind;
}

std::unique_ptr<reader::Recording> open_recording(const std::string& path, const reader::OpenOptions& options) {
  if (store::is_store_url(path)) throw reads_recordings_only(path, analysis::InputKind::store);
  if (std::error_code none; std::filesystem::is_directory(path, none)) return reader::Recording::open(path, options);
  reader::InputFile input = reader::open_input(path);
  if (const auto kind = kind_of(input); kind != analysis::InputKind::recording) throw reads_recordings_only(path, kind);
  return reader::Recording::open(std::move(input), options);
}

void read_lines(reader::InputFile input, const std::function<void(std::string_view line)>& line,
                const std::function<void(double)>& progress) {
  constexpr std::size_t piece_size = std::size_t{1} << 18;
  analysis::LineSplitter lines(line);
  const auto feed = [&](Bytes piece, double share) {
    lines.feed({reinterpret_cast<const char*>(piece.data()), piece.size()});
    if (progress) progress(share);
  };
  if (input.source == nullptr) {
    const Bytes all = input.mapped.bytes();
    for (std::size_t at = 0; at < all.size(); at += piece_size) {
      feed(all.subspan(at, std::min(piece_size, all.size() - at)),
           static_cast<double>(at) / static_cast<double>(all.size()));
    }
  } else {
    std::vector<std::byte> buffer(piece_size);
    while (const std::size_t got = input.source->read(buffer)) feed(Bytes(buffer).first(got), -1);
  }
  lines.finish();
}

InputReport read_into_profile(const std::string& path, analysis::Profile& profile, const ProfileReading& reading) {
  if (store::is_store_url(path)) return read_store(path, profile, reading);
  if (std::error_code none; !std::filesystem::is_directory(path, none))
    return read_into_profile(reader::open_input(path), profile, reading);
  InputReport report{.path = path};
  read_recording(reader::Recording::open(path, recording_options(path, reading)), profile, reading, report);
  return report;
}

InputReport read_into_profile(reader::InputFile input, analysis::Profile& profile, const ProfileReading& reading) {
  const std::string path = input.path;
  InputReport report{.path = path, .kind = kind_of(input)};
  if (report.kind != analysis::InputKind::recording && !reading.filter.keeps_all()) {
    throw UsageError(fmt::format("{}: is {}, and samples are filtered in recordings only", printable(path),
                                 analysis::kind_name(report.kind)));
  }
  const bool is_text =
      report.kind == analysis::InputKind::perf_script_text || report.kind == analysis::InputKind::folded_text;
  if (is_text && reading.stacks.cgroup) {
    throw UsageError(printable(path) + ": is text, which has no control groups; --with-cgroup needs recordings");
  }
  switch (report.kind) {
    case analysis::InputKind::perf_script_text:
      read_script_text(std::move(input), profile, reading, report);
      break;
    case analysis::InputKind::pprof:
      read_pprof(std::move(input), profile, reading, report);
      break;
    case analysis::InputKind::folded_text:
      read_folded_text(std::move(input), profile, reading, report);
      break;
    default:
      read_recording(reader::Recording::open(std::move(input), recording_options(path, reading)), profile, reading,
                     report);
  }
  return report;
}

std::vector<InputReport> read_into_profile(const std::vector<std::string>& paths, analysis::Profile& profile,
                                           const ProfileReading& reading) {
  const bool many = paths.size() >= std::size_t{2} * reading.threads && paths.size() > 1;
  if (many && reading.rows == nullptr) {
    return read_many(paths, profile, reading);
  }
  std::vector<InputReport> reports;
  for (const std::string& path : paths) reports.push_back(try_to_read(path, profile, reading));
  return reports;
}

}  // namespace perfsift::tools
