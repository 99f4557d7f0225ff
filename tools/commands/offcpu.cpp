// perfsift offcpu: shows where the time went when threads were not running.

#include <iostream>
#include <optional>
#include <string>

#include <unistd.h>

#include "base/error.h"
#include "store/url.h"
#include "tools/command.h"
#include "tools/offcpu/in_kernel.h"
#include "tools/offcpu/investigation.h"
#include "tools/offcpu/offcpu_options.h"
#include "tools/offcpu/stored_investigation.h"

namespace perfsift::tools {
namespace {

struct OffcpuCommand : CommandRun {
  OffcpuOptions wanted;

  void add_to(options::po::options_description& options) override { wanted.add_to(options); }
  options::Arguments own_words(const options::Arguments& words) const override {
    return words_before_measured_command(words);
  }
  int run(const options::Arguments& words) override;
};

int read_store(const OffcpuOptions& options, const std::string& url, RecordingRun& run) {
  const analysis::Quality quality = write_waits_of_store(options, url, run);
  const int status = run.conclude();
  options.quality_tables.print(quality);
  return status;
}

int read_recording(OffcpuOptions& options) {
  if (options.live && !options.recordings.inputs.names_any() && isatty(STDIN_FILENO) == 1)
    throw UsageError("--live reads a recording that is being made: perfsift record -a --offcpu=--live");

  RecordingRun run(options.recordings, {options.recordings.inputs.single_path()});
  const std::string& path = run.paths().front();
  options.check_files(run);
  if (store::is_store_url(path)) return read_store(options, path, run);
  reader::OpenOptions opening = run.opening(path);
  opening.store_stream = !options.cut_to.empty();  // to read it again
  const auto recording = run.open(path, opening);
  Investigation investigation(options, *recording, run.symbolizer());
  investigation.read();
  run.end_progress();
  const std::optional<std::string> unusable = investigation.nothing_to_say();
  if (!unusable) investigation.write();
  Diagnostics& diagnostics = run.diagnostics();
  if (unusable) diagnostics.unusable(path + ": " + *unusable);
  if (const auto nothing = investigation.nothing_kept(); nothing && !unusable) {
    options.fail_empty ? diagnostics.check_failed(path + ": " + *nothing) : diagnostics.warning(path, *nothing);
  }
  for (const std::string& warning : investigation.warnings()) diagnostics.warning(path, warning);
  run.report(path, *recording);
  const int status = run.conclude();
  options.quality_tables.print(investigation.quality());
  return status;
}

int OffcpuCommand::run(const options::Arguments& words) {
  wanted.prepare();
  if (wanted.show_idle_list) return std::cout << offcpu::IdleWaits::built_in, done;
  if (!wanted.waits.in_kernel) return read_recording(wanted);
  return measure_in_kernel(wanted, words, [this] {
    wanted.recordings.inputs.inputs = {"-"};
    return read_recording(wanted);
  });
}

}  // namespace

extern const Command offcpu_command{
    .name = "offcpu",
    .summary = "show where time went when threads were not running",
    .usage =
        "Usage: perfsift offcpu [OPTIONS] [FILE]\n       perfsift offcpu --in-kernel [OPTIONS] [-- COMMAND]\n\nShows "
        "where the time went when threads were not running, from a "
        "recording of sched:sched_switch and\nsched:sched_waking, of switch events, or of perf record --off-cpu;\nor "
        "measures now, by BPF programs that sum up in the kernel.\n",
    .positional = ReadingOptions::positional,
    .start = start<OffcpuCommand>,
};

}  // namespace perfsift::tools
