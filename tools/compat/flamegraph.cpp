#include "tools/compat/flamegraph.h"

#include <filesystem>

#include "base/error.h"
#include "base/printable.h"
#include "tools/diagnostics.h"
#include "tools/filter/sample_filter.h"
#include "tools/input/line_splitter.h"
#include "tools/profile/quality_counter.h"
#include "tools/script/script_printer.h"
#include "tools/text_writer.h"

namespace perfsift::tools {
namespace {

const reader::OpenOptions as_perf_6_1{.rules = {.exec_clears_maps = false, .jit_dumps = false},
                                      .event_naming = reader::EventNaming::perf_6_1,
                                      .progress = {}};

void collapse_recording(reader::Recording& recording, symbolize::Symbolizer& symbolizer, const SampleOptions& samples,
                        const filter::Filter& filter, StackcollapsePerf& collapser, InputReport& report) {
  LineSplitter lines([&](std::string_view line) { collapser.line(line); });
  TextWriter text([&](std::string_view piece) { lines.feed(piece); });
  ScriptOptions options;
  options.samples = samples;
  options.samples.style = PerfStyle::perf_6_1;
  options.demangling = symbolize::DemangleStyle::perf_6_1;
  ScriptPrinter printer(recording, FieldSelection(PerfStyle::perf_6_1), symbolizer, options, text);
  QualityCounter quality(recording, symbolizer, {.tables = &symbolizer.unwind_tables()}, printer);
  RecordingFilter wanted(recording, symbolizer, filter, {});
  wanted.prepare(1);
  FilteredVisitor filtered(wanted, quality);
  recording.visit_in_order(filtered);
  printer.finish();
  text.flush();
  lines.finish();
  report.stats = recording.stats();
  report.not_decoded = not_decoded(recording);
  report.quality = quality.quality();
  report.samples = report.quality.sample_records;
  report.kept = report.quality.samples;
}

InputReport collapse(const std::string& path, symbolize::Symbolizer& symbolizer, const SampleOptions& samples,
                     const filter::Filter& filter, StackcollapsePerf& collapser) {
  InputReport report{.path = path};
  if (std::filesystem::is_directory(path)) {
    const auto recording = reader::Recording::open(path, as_perf_6_1);
    collapse_recording(*recording, symbolizer, samples, filter, collapser, report);
    return report;
  }
  reader::InputFile input = reader::open_input(path);
  report.kind = kind_of(input);
  if (report.kind == InputKind::folded_text) {
    throw InputError(path + ": folded already; --compat flamegraph reads recordings and text of perf script");
  }
  if (report.kind != InputKind::recording && !filter.keeps_all()) {
    throw UsageError(printable(path) + ": is text, and samples are filtered in recordings only");
  }
  const std::uint64_t before = collapser.samples();
  if (report.kind == InputKind::recording) {
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
                                            const StackcollapseOptions& options, const SampleOptions& samples,
                                            const filter::Filter& filter, const StackcollapsePerf::Notice& notice,
                                            OutputFile& out) {
  StackcollapsePerf collapser(options, notice);
  std::vector<InputReport> reports;
  for (const std::string& path : paths) reports.push_back(collapse(path, symbolizer, samples, filter, collapser));
  TextWriter text([&](std::string_view piece) { out.write(piece); });
  collapser.write([&](std::string_view line) {
    text.text(line);
    text.character('\n');
  });
  text.flush();
  return reports;
}

}  // namespace perfsift::tools
