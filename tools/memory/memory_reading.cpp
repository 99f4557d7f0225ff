#include "tools/memory/memory_reading.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "options/number_option.h"
#include "output/files/run_files.h"
#include "tools/command.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

namespace po = options::po;

namespace {

std::unique_ptr<reader::Recording> open_recording(const MemoryReading& reading, const std::string& path,
                                                  Progress& progress) {
  reader::OpenOptions options = open_options(path, progress);
  options.trace_events.memory = true;
  options.store_stream = true;  // the nodes of the machine must be known before the first sample
  auto recording = tools::open_recording(path, options);
  reading.filtering.check_events(*recording);
  return recording;
}

}  // namespace

void MemoryReading::add_to(po::options_description& description) {
  reading.add_to(description);
  auto add = description.add_options();
  add("output,o", po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("json", po::bool_switch(&json), "write one JSON object");
  add("csv", po::bool_switch(&csv), "write comma-separated values");
  add("limit", options::whole_number(limit), "rows of each table; 0: all");
  add("fail-empty", po::bool_switch(&fail_empty), "exit status 1 if no access is kept");
  filtering.add_to(description);
  jobs.add_to(description);
  naming.add_to(description);
  debuginfod.add_to(description);
}

void MemoryReading::prepare() {
  if (json && csv) throw UsageError("--json and --csv: choose one");
  filter = filtering.filter();
  paths = reading.paths();
}

void MemoryReading::check_files(const std::string& other) const {
  output::RunFiles files;
  files.reads(paths);
  reading.note_files(files);
  naming.note_files(files);
  filtering.note_files(files);
  files.writes(output);
  if (!other.empty()) files.writes(other);
}

MemoryRun::MemoryRun(const MemoryReading& reading)
    : reading_(reading),
      progress_(reading.reading.quiet),
      symbolizer_(reading.debuginfod.with_fetched(reading.naming.symbolize_options(), reading.paths,
                                                  reading.jobs.threads(), reading.reading.quiet)) {
  for (const std::string& path : reading.paths) {
    Input& input = inputs_.emplace_back();
    input.path = path;
    open(input);
  }
}

// The other recordings can be used without one that cannot.
void MemoryRun::open(Input& input) {
  try {
    input.recording = open_recording(reading_, input.path, progress_);
  } catch (const InputError& error) {
    if (reading_.paths.size() == 1) throw;
    input.unusable = error.what();
    return;
  }
  check_events(input);
}

void MemoryRun::check_events(Input& input) const {
  const bool any = std::ranges::any_of(input.recording->events(),
                                       [](const auto& event) { return analysis::is_memory_event(*event); });
  if (!any) {
    input.unusable = input.path +
                     ": no event of it records data addresses; perf mem record does, and perf record -d for other "
                     "events";
  }
}

bool MemoryRun::any_usable() const {
  return std::ranges::any_of(inputs_, [](const Input& input) { return input.unusable.empty(); });
}

bool MemoryRun::collect(analysis::MemoryOptions options) {
  for (Input& input : inputs_) {
    if (!input.unusable.empty()) continue;
    input.collector.emplace(*input.recording, symbolizer_, profile_, options, reading_.filter);
    analysis::MemoryTotals found = input.collector->collect(reading_.jobs.threads());
    input.kept = found.sums.accesses();
    ++options.recording;
    if (!totals_) {
      totals_ = std::move(found);
    } else if (options.cache_lines && totals_->lines.line_size() != found.lines.line_size()) {
      throw UsageError(fmt::format("{}: its machine has cache lines of {} bytes, that of the recordings before {}",
                                   input.path, found.lines.line_size(), totals_->lines.line_size()));
    } else {
      totals_->add(std::move(found));
    }
  }
  if (!totals_) return false;
  report_ = std::move(totals_->sums).finish(options.order);
  totals_->lines.rank();
  for (Input& input : inputs_) {
    if (input.collector) input.collector->describe(totals_->lines);
  }
  return true;
}

output::NotedRecording MemoryRun::noted() const {
  std::optional<output::NotedRecording> all;
  for (const Input& input : inputs_) {
    if (!input.collector) continue;
    const output::NotedRecording one = output::noted(*input.recording, input.collector->nodes());
    all = all ? output::joined(*std::move(all), one) : one;
  }
  return all.value_or(output::NotedRecording());
}

void MemoryRun::for_each_recording(const std::function<std::uint64_t(reader::Recording&)>& visit) {
  for (Input& input : inputs_) {
    if (input.unusable.empty()) input.kept = visit(*input.recording);
  }
}

void MemoryRun::write(const std::function<void(output::TextWriter&)>& write) {
  write_file(reading_.output, [&](output::OutputFile& file) {
    output::TextWriter out([&](std::string_view text) { file.write(text); });
    write(out);
    out.flush();
  });
}

void MemoryRun::write_file(const std::string& output, const std::function<void(output::OutputFile&)>& write) {
  if (output::OutputFile::is_standard_output(output)) end_progress();
  write_output(output, write);
}

int MemoryRun::conclude() {
  end_progress();
  Diagnostics diagnostics(reading_.reading.quiet);
  InputTotals totals("recording");
  for (const Input& input : inputs_) {
    if (!input.unusable.empty()) diagnostics.unusable(input.unusable);
    totals.add({.path = input.path,
                .samples = input.recording ? input.recording->stats().samples() : 0,
                .kept = input.kept,
                .usable = input.unusable.empty()});
  }
  diagnostics.report_empty(totals, reading_.fail_empty);
  for (const Input& input : inputs_) {
    if (input.recording == nullptr) continue;
    if (input.collector) {
      if (auto warning = input.collector->code_versions().warning(); !warning.empty())
        diagnostics.warning(input.path, warning);
    }
    for (const std::string& warning : not_decoded(*input.recording)) diagnostics.warning(input.path, warning);
    diagnostics.report(input.path, input.recording->stats());
  }
  diagnostics.report(symbolizer_);
  return diagnostics.status();
}

}  // namespace perfsift::tools
