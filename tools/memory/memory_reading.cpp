#include "tools/memory/memory_reading.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "options/number_option.h"
#include "output/files/run_files.h"
#include "store/url.h"

namespace perfsift::tools {

namespace po = options::po;

void MemoryReading::add_to(po::options_description& description) {
  recordings.inputs.add_to(description);
  auto add = description.add_options();
  add("output,o", po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("json", po::bool_switch(&json), "write one JSON object");
  add("csv", po::bool_switch(&csv), "write comma-separated values");
  add("limit", options::whole_number(limit), "rows of each table; 0: all");
  add("fail-empty", po::bool_switch(&fail_empty), "exit status 1 if no access is kept");
  recordings.filtering.add_to(description);
  recordings.jobs.add_to(description);
  recordings.naming.add_to(description);
  recordings.debuginfod.add_to(description);
}

void MemoryReading::prepare() {
  if (json && csv) throw UsageError("--json and --csv: choose one");
  filter = recordings.filtering.filter();
}

MemoryRun::MemoryRun(const MemoryReading& reading, const std::string& other)
    : reading_(reading), run_(reading.recordings, reading.recordings.inputs.paths()) {
  output::RunFiles files;
  run_.note_files(files);
  files.writes(reading.output);
  if (!other.empty()) files.writes(other);
  run_.symbolizer();  // where names come from is checked before the recordings are
  for (const std::string& path : run_.paths()) {
    Input& input = inputs_.emplace_back();
    input.path = path;
    open(input);
  }
}

// The other recordings can be used without one that cannot.
void MemoryRun::open(Input& input) {
  if (store::is_store_url(input.path)) return void(input.store.emplace(input.path, reading_.filter));
  reader::OpenOptions options = run_.opening(input.path);
  options.trace_events.memory = true;
  options.store_stream = true;  // the nodes of the machine must be known before the first sample
  try {
    input.recording = run_.open(input.path, options);
  } catch (const InputError& error) {
    if (run_.paths().size() == 1) throw;
    input.unusable = error.what();
    return;
  }
  if (std::ranges::none_of(input.recording->events(),
                           [](const auto& event) { return analysis::is_memory_event(*event); })) {
    input.unusable = input.path +
                     ": no event of it records data addresses; perf mem record does, and perf record -d for other "
                     "events";
  }
}

bool MemoryRun::any_usable() const {
  return std::ranges::any_of(inputs_, [](const Input& input) { return input.unusable.empty(); });
}

analysis::MemoryTotals MemoryRun::collect(Input& input, const analysis::MemoryOptions& options) {
  if (input.store) return input.store->collect(profile_, options, run_.progress());
  input.collector.emplace(*input.recording, symbolizer(), profile_, options, reading_.filter);
  return input.collector->collect(run_.threads());
}

bool MemoryRun::collect(analysis::MemoryOptions options) {
  for (Input& input : inputs_) {
    if (!input.unusable.empty()) continue;
    analysis::MemoryTotals found = collect(input, options);
    input.kept = found.sums.accesses();
    if (input.store && input.kept == 0) {
      input.unusable =
          input.path +
          ": has no memory accesses of these recordings: perfsift store add keeps those of perf mem record";
      continue;
    }
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
    if (!input.collector && !input.store) continue;
    const output::NotedRecording one =
        input.store ? input.store->noted() : output::noted(*input.recording, input.collector->nodes());
    all = all ? output::joined(*std::move(all), one) : one;
  }
  return all.value_or(output::NotedRecording());
}

void MemoryRun::for_each_recording(const std::function<std::uint64_t(reader::Recording&)>& visit) {
  for (Input& input : inputs_) {
    if (input.store) input.store->refuse_single_accesses();
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

int MemoryRun::conclude() {
  run_.end_progress();
  Diagnostics& diagnostics = run_.diagnostics();
  InputTotals totals("recording");
  for (const Input& input : inputs_) {
    if (!input.unusable.empty()) diagnostics.unusable(input.unusable);
    totals.add({.path = input.path,
                .samples = input.store       ? input.kept
                           : input.recording ? input.recording->stats().samples()
                                             : 0,
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
    run_.report(input.path, *input.recording);
  }
  return run_.conclude();
}

}  // namespace perfsift::tools
