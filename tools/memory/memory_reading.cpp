#include "tools/memory/memory_reading.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "output/files/run_files.h"
#include "tools/command.h"

namespace perfsift::tools {

namespace po = options::po;

namespace {

std::unique_ptr<reader::Recording> open_recording(const MemoryReading& reading, Progress& progress) {
  reader::OpenOptions options = open_options(reading.path, progress);
  options.trace_events.memory = true;
  options.store_stream = true;  // the nodes of the machine must be known before the first sample
  auto recording = reader::Recording::open(reading.path, options);
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
  add("limit", po::value<std::size_t>()->value_name("N")->notifier([this](std::size_t rows) { limit = rows; }),
      "rows of each table; 0: all");
  add("min-latency",
      po::value<std::uint64_t>()->value_name("N")->notifier([this](std::uint64_t least) { least_latency_ = least; }),
      "only accesses that took at least N, in the unit of the recording");
  add("level", po::value(&levels_)->value_name("LEVEL")->composing(),
      "only accesses to this level: l1, lfb, l2, l3, ram, local_ram, remote_ram, remote_cache, …");
  add("node", po::value<std::uint32_t>()->value_name("N")->notifier([this](std::uint32_t number) { node = number; }),
      "only accesses to data on this NUMA node");
  add("fail-empty", po::bool_switch(&fail_empty), "exit status 1 if no access is kept");
  filtering.add_to(description);
  jobs.add_to(description);
  naming.add_to(description);
  debuginfod.add_to(description);
}

void MemoryReading::prepare() {
  if (json && csv) throw UsageError("--json and --csv: choose one");
  std::vector<filter::FilterText> texts = filtering.texts();
  if (least_latency_)
    texts.push_back({.origin = "--min-latency", .text = fmt::format("weight >= {}", *least_latency_)});
  if (!levels_.empty()) {
    texts.push_back({.origin = "--level", .text = fmt::format("mem.lvl in {{{}}}", fmt::join(levels_, ", "))});
  }
  filter = filter::Filter::parse(texts);
  path = reading.single_path();
}

void MemoryReading::check_files(const std::string& other) const {
  output::RunFiles files;
  files.reads(path);
  reading.note_files(files);
  naming.note_files(files);
  filtering.note_files(files);
  files.writes(output);
  if (!other.empty()) files.writes(other);
}

MemoryRun::MemoryRun(const MemoryReading& reading)
    : reading_(reading),
      progress_(reading.reading.quiet),
      recording_(open_recording(reading, progress_)),
      symbolizer_(reading.debuginfod.with_fetched(reading.naming.symbolize_options(), {reading.path},
                                                  reading.jobs.threads(), reading.reading.quiet)) {}

bool MemoryRun::has_memory_events() {
  const bool any =
      std::ranges::any_of(recording_->events(), [](const auto& event) { return analysis::is_memory_event(*event); });
  if (!any) {
    unusable_ = "no event of it records data addresses; perf mem record does, and perf record -d for other events";
  } else if (reading_.node && !analysis::MemoryNodes(recording_->features()).knows_memory()) {
    throw UsageError("--node: the recording does not tell the nodes of memory (MEM_TOPOLOGY)");
  }
  return any;
}

bool MemoryRun::collect(const analysis::MemoryOptions& options) {
  if (!has_memory_events()) return false;
  collector_.emplace(*recording_, symbolizer_, profile_, options, reading_.filter);
  collector_->collect(reading_.jobs.threads());
  kept_ = collector_->report().all.amount.samples;
  return true;
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
  const std::string& path = reading_.path;
  Diagnostics diagnostics(reading_.reading.quiet);
  if (unusable_) {
    diagnostics.unusable(path + ": " + *unusable_);
  } else if (kept_ == 0) {
    diagnostics.report_empty(path, recording_->stats().samples(), reading_.fail_empty);
  }
  if (collector_) {
    if (auto warning = collector_->code_versions().warning(); !warning.empty()) diagnostics.warning(path, warning);
  }
  for (const std::string& warning : not_decoded(*recording_)) diagnostics.warning(path, warning);
  diagnostics.report(path, recording_->stats());
  diagnostics.report(symbolizer_);
  return diagnostics.status();
}

}  // namespace perfsift::tools
