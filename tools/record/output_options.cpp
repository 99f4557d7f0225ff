#include "tools/record/output_options.h"

#include <fmt/format.h>

#include "base/duration.h"
#include "base/error.h"
#include "base/number_in.h"
#include "options/number_option.h"
#include "options/optional_word.h"
#include "output/files/output_file.h"
#include "output/recording/recording_sink.h"
#include "reader/writer/record_compressor.h"
#include "record/ring_threads.h"
#include "tools/record/recorder_priority.h"
#include "tools/record/size_options.h"

namespace perfsift::tools {
namespace {

namespace po = options::po;

struct MappedSizes {
  std::size_t ring = 0, aux = 0;  // bytes; 0: not given
};

// -m RINGS, -m RINGS,AREAS or -m ,AREAS: record__parse_mmap_pages() in tools/perf/builtin-record.c.
MappedSizes mapped_sizes_in(const std::string& text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string_view ring = std::string_view(text).substr(0, comma);
  MappedSizes sizes;
  if (!ring.empty()) sizes.ring = ring_bytes_in(ring, text);
  if (comma != text.size()) sizes.aux = ring_bytes_in(std::string_view(text).substr(comma + 1), text);
  return sizes;
}

SwitchRule switch_rule_in(const std::string& text) {
  SwitchRule rule;
  if (text == "signal") {
    rule.on_signal = true;
  } else if (const auto bytes = size_in(text)) {
    rule.bytes = bytes;
  } else if (const auto time = parse_duration(text, time_units_with_names())) {
    rule.time = std::chrono::nanoseconds(*time);
  } else {
    throw UsageError("--switch-output " + text + ": signal, a size such as 100M or a time such as 30s is needed");
  }
  return rule;
}

}  // namespace

void RecordOutputOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  const auto note_name = [this](const std::string&) { names_file = true; };
  add("output,o", po::value(&path)->value_name("FILE")->notifier(note_name),
      "the file to write, or - for standard output (perf.data)");
  add("compression-level,z", options::optional_word(level_, "1")->value_name("N"),
      "compress the records, level 1 to 22");
  add("mmap-pages,m", po::value(&pages_)->value_name("PAGES|SIZE[,PAGES|SIZE]"),
      "the size of each ring (4M), and of each AUX area (4M, or 128K without privileges)");
  add("overwrite", po::bool_switch(&overwrite_), "keep only the last records in each ring, and write them at the end");
  add("delay,D", options::whole_number(delay_, {.least = -1})->value_name("MS"),
      "count from so many milliseconds after the start; -1: from the command enable of --control");
  add("switch-output", options::optional_word(switch_output_, "signal")->value_name("signal|SIZE|TIME"),
      "go on in another file after SIGUSR2, a size or a time");
  add("switch-max-files", options::whole_number(most_files), "the number of files that --switch-output keeps (all)");
  add("threads", options::optional_word(threads_, "cpu")->value_name("cpu|core|package|numa|CPUS/AFFINITY:..."),
      "write a folder, with a thread for the rings of each CPU, core, package, node or list of CPUs");
  add("max-size", po::value(&most_bytes_)->value_name("SIZE"), "stop at this size of the output");
  add("max-time", po::value(&longest_)->value_name("TIME"), "stop after this time: 30s, 5m");
  add("realtime,r",
      options::whole_number(real_time, {.least = least_real_time, .most = most_real_time})->value_name("PRIORITY"),
      "read the rings with this real-time priority, so that busy CPUs do not delay it");
  add("quiet,q", po::bool_switch(&quiet), "print no progress, summary or warnings");
  add("verbose,v", po::bool_switch(&verbose), "print the events as they were opened");
}

void RecordOutputOptions::complete() {
  if (output::OutputFile::is_standard_output(path)) path = output::OutputFile::standard_output;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();  // of the folder of an older recording
  if (!level_.empty()) {
    const auto level = number_in<int>(level_);
    if (!level || *level < 0 || *level > reader::RecordCompressor::most_level)
      throw UsageError("--compression-level " + level_ + ": a number from 1 to 22 is needed");
    if (*level > 0) compression_level = *level;
  }
  if (!pages_.empty()) {
    const MappedSizes sizes = mapped_sizes_in(pages_);
    ring_bytes_ = sizes.ring, aux_bytes_ = sizes.aux;
  }
  if (!switch_output_.empty()) switches = switch_rule_in(switch_output_);
  if (!most_bytes_.empty() && !(most_bytes = size_in(most_bytes_)))
    throw UsageError("--max-size " + most_bytes_ + ": a size such as 100M is needed");
  if (!longest_.empty()) longest = longest_in(longest_);
  const bool one_stream = path == output::OutputFile::standard_output;
  if (one_stream && switches.any()) throw UsageError("--switch-output writes several files, which - is not");
  if (in_threads()) refuse_with_threads();
}

void RecordOutputOptions::refuse_with_threads() const {
  if (output::takes_pipe_form(path)) throw UsageError("--threads writes a folder, which a pipe or a device is not");
  if (switches.any()) throw UsageError("--threads and --switch-output exclude each other");
  if (overwrite_)
    throw UsageError("--threads and --overwrite exclude each other: overwritten rings are read at the end");
}

void RecordOutputOptions::apply(record::SessionPlan& plan) const {
  if (ring_bytes_ != 0) plan.rings.bytes = ring_bytes_;
  plan.rings.aux_bytes = aux_bytes_;
  plan.rings.overwritten = overwrite_;
  if (in_threads()) {
    const record::KernelRoots folders;
    plan.rings.threads = record::ring_threads(threads_, record::sampled_cpus(plan.target, folders), folders);
  }
  plan.start_disabled = delay_ == -1;
  if (delay_ && *delay_ > 0) plan.delay = std::chrono::milliseconds(*delay_);
}

}  // namespace perfsift::tools
