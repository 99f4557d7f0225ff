#include "tools/compat/flamegraph.h"

#include <filesystem>

#include "analysis/collect/quality_counter.h"
#include "analysis/input/line_splitter.h"
#include "analysis/samples/sample_filter.h"
#include "base/error.h"
#include "base/printable.h"
#include "output/script/script_printer.h"
#include "output/text_writer.h"
#include "tools/diagnostics.h"

namespace perfsift::tools {
namespace {

const reader::OpenOptions as_perf_6_1{
    .rules = {.exec_clears_maps = false, .early_names = false, .jit_dumps = false, .code_without_files = false},
    .event_naming = reader::EventNaming::perf_6_1,
    .progress = {}};

void collapse_recording(reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                        const output::SampleOptions& samples, const filter::Filter& filter,
                        analysis::StackcollapsePerf& collapser, InputReport& report) {
  analysis::LineSplitter lines([&](std::string_view line) { collapser.line(line); });
  output::TextWriter text([&](std::string_view piece) { lines.feed(piece); });
  output::ScriptOptions options;
  options.samples = samples;
  options.samples.style = analysis::PerfStyle::perf_6_1;
  options.demangling = symbolize::DemangleStyle::perf_6_1;
  output::ScriptPrinter printer(recording, output::FieldSelection(analysis::PerfStyle::perf_6_1), symbolizer, options,
                                text);
  analysis::QualityCounter quality(recording, symbolizer, {.symbolizer = &symbolizer}, printer);
  analysis::RecordingFilter wanted(recording, symbolizer, filter, {});
  wanted.prepare(1);
  analysis::FilteredVisitor filtered(wanted, quality);
  recording.visit_in_order(filtered);
  printer.finish();
  text.flush();
  lines.finish();
  report.own = RecordingReport{.description = {}, .compiled = {}, .stats = recording.stats()};
  report.warnings = not_decoded(recording);
  report.quality = quality.quality();
  report.samples = report.quality.sample_records;
  report.kept = report.quality.samples;
}

InputReport collapse(const std::string& path, symbolize::Symbolizer& symbolizer, const output::SampleOptions& samples,
                     const filter::Filter& filter, analysis::StackcollapsePerf& collapser) {
  InputReport report{.path = path};
  if (std::filesystem::is_directory(path)) {
    const auto recording = reader::Recording::open(path, as_perf_6_1);
    collapse_recording(*recording, symbolizer, samples, filter, collapser, report);
    return report;
  }
  reader::InputFile input = reader::open_input(path);
  report.kind = kind_of(input);
  if (report.kind == analysis::InputKind::folded_text) {
    throw InputError(path + ": folded already; --compat flamegraph reads recordings and text of perf script");
  }
  if (report.kind == analysis::InputKind::pprof) {
    throw InputError(path + ": is a pprof profile; --compat flamegraph reads recordings and text of perf script");
  }
  if (report.kind != analysis::InputKind::recording && !filter.keeps_all()) {
    throw UsageError(printable(path) + ": is text, and samples are filtered in recordings only");
  }
  const std::uint64_t before = collapser.samples();
  if (report.kind == analysis::InputKind::recording) {
    collapse_recording(*reader::Recording::open(std::move(input), as_perf_6_1), symbolizer, samples, filter, collapser,
                       report);
  } else {
    read_lines(std::move(input), [&](std::string_view line) { collapser.line(line); });
    report.samples = report.kept = collapser.samples() - before;
  }
  return report;
}

}  // namespace

std::vector<InputReport> fold_as_flamegraph(const std::vector<std::string>& paths, symbolize::Symbolizer& symbolizer,
                                            const analysis::StackcollapseOptions& options,
                                            const output::SampleOptions& samples, const filter::Filter& filter,
                                            const analysis::StackcollapsePerf::Notice& notice,
                                            output::OutputFile& out) {
  analysis::StackcollapsePerf collapser(options, notice);
  std::vector<InputReport> reports;
  for (const std::string& path : paths) reports.push_back(collapse(path, symbolizer, samples, filter, collapser));
  output::TextWriter text([&](std::string_view piece) { out.write(piece); });
  collapser.write([&](std::string_view line) {
    text.text(line);
    text.character('\n');
  });
  text.flush();
  return reports;
}

}  // namespace perfsift::tools
