#include "tools/export/export_format.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "output/callgrind/callgrind.h"
#include "output/firefox/firefox.h"
#include "output/folded/folded.h"
#include "output/perfetto/perfetto.h"
#include "output/pprof/pprof.h"
#include "output/rows/sample_rows.h"
#include "output/speedscope/speedscope.h"

namespace perfsift::tools {
namespace {

using analysis::FrameDetail;
using output::ExportSource;
using output::OutputFile;

void write_pprof(const ExportSource& source, const FormatOptions& options, OutputFile& out) {
  output::write_pprof(source, options.labels, out);
}

void write_folded(const ExportSource& source, const FormatOptions& /*options*/, OutputFile& out) {
  const bool several_events = source.profile.events_with_stacks().size() > 1;
  output::write_folded(source.profile, {.threads = source.threads, .event_frame = several_events}, out);
}

void write_speedscope(const ExportSource& source, const FormatOptions& /*options*/, OutputFile& out) {
  output::write_speedscope(source, out);
}

void write_firefox(const ExportSource& source, const FormatOptions& /*options*/, OutputFile& out) {
  output::write_firefox(source, out);
}

void write_perfetto(const ExportSource& source, const FormatOptions& /*options*/, OutputFile& out) {
  if (output::has_sums(source)) {
    throw UsageError(
        "--to perfetto: a trace has single samples with their times; give recordings or text of perf script, without "
        "--lost-frames");
  }
  output::write_perfetto(source, out);
}

void write_callgrind(const ExportSource& source, const FormatOptions& /*options*/, OutputFile& out) {
  output::write_callgrind(source, out);
}

void write_jsonl(const ExportSource& source, const FormatOptions& /*options*/, OutputFile& out) {
  output::write_jsonl(source, out);
}

void write_csv(const ExportSource& source, const FormatOptions& /*options*/, OutputFile& out) {
  output::write_csv(source, out);
}

constexpr std::array formats{
    ExportFormat{.name = "pprof",
                 .summary = "pprof's gzipped protobuf",
                 .binary = true,
                 .for_viewers = true,
                 .labels = true,
                 .both_weights = true,
                 .detail = FrameDetail::address,
                 .write = write_pprof},
    ExportFormat{.name = "speedscope",
                 .summary = "JSON of speedscope",
                 .for_viewers = true,
                 .in_order = true,
                 .detail = FrameDetail::line,
                 .write = write_speedscope},
    ExportFormat{.name = "firefox",
                 .summary = "a profile of the Firefox Profiler, compressed",
                 .binary = true,
                 .for_viewers = true,
                 .in_order = true,
                 .cpu_slices = true,
                 .times = SampleTimes::shown,
                 .detail = FrameDetail::line,
                 .write = write_firefox},
    ExportFormat{.name = "perfetto",
                 .summary = "a trace of Perfetto",
                 .binary = true,
                 .for_viewers = true,
                 .in_order = true,
                 .cpu_slices = true,
                 .times = SampleTimes::needed,
                 .both_weights = true,
                 .detail = FrameDetail::address,
                 .write = write_perfetto},
    ExportFormat{.name = "callgrind",
                 .summary = "profiles of callgrind, for kcachegrind",
                 .for_viewers = true,
                 .both_weights = true,
                 .detail = FrameDetail::line,
                 .write = write_callgrind},
    ExportFormat{.name = "jsonl",
                 .summary = "a JSON object for each sample",
                 .in_order = true,
                 .both_weights = true,
                 .detail = FrameDetail::line,
                 .write = write_jsonl},
    ExportFormat{
        .name = "csv", .summary = "a row for each sample", .in_order = true, .both_weights = true, .write = write_csv},
    ExportFormat{.name = "folded",
                 .summary = "folded stacks",
                 .one_measure = true,
                 .thread_frames = true,
                 .write = write_folded},
};

}  // namespace

std::span<const ExportFormat> export_formats() { return formats; }

const ExportFormat& export_format(const std::string& name) {
  const auto format = std::ranges::find(formats, name, &ExportFormat::name);
  if (format != formats.end()) return *format;
  const std::string given = name.empty() ? "--to FORMAT is needed" : "--to " + name;
  throw UsageError(given + ": there are " + names_of_export_formats());
}

analysis::StackOptions stacks_for(const ExportFormat& format, analysis::StackOptions stacks) {
  stacks.frames.detail = format.detail;
  if (format.both_weights) stacks.weight = analysis::Weight::period;
  if (!format.thread_frames && !stacks.pid && !stacks.tid) stacks.comm = false;
  return stacks;
}

std::string names_of_export_formats() {
  std::string names;
  for (const ExportFormat& format : formats) names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

}  // namespace perfsift::tools
