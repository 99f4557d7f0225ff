// perfsift offcpu: where the time went when threads were not running.

#include <iostream>
#include <optional>
#include <string>

#include "reader/recording.h"
#include "tools/command.h"
#include "tools/diagnostics.h"
#include "tools/input_profile.h"
#include "tools/offcpu/investigation.h"
#include "tools/offcpu/offcpu_options.h"

namespace perfsift::tools {
namespace {

struct OffcpuCommand : CommandRun {
  OffcpuOptions options;

  void add_to(options::po::options_description& description) override { options.add_to(description); }
  int run(const options::Arguments& words) override;
};

int OffcpuCommand::run(const options::Arguments&) {
  options.prepare();
  if (options.show_idle_list) return std::cout << offcpu::IdleWaits::built_in, done;

  Progress progress(options.reading.quiet);
  const std::string path = options.reading.single_path();
  options.check_files(path);
  reader::OpenOptions opening = open_options(path, progress);
  opening.store_stream = !options.cut_to.empty();  // to read it again
  const auto recording = open_recording(path, opening);
  symbolize::Symbolizer symbolizer(options.naming.symbolize_options());
  Investigation investigation(options, *recording, symbolizer);
  investigation.read();
  progress.end();
  const std::optional<std::string> unusable = investigation.nothing_to_say();
  if (!unusable) investigation.write();
  Diagnostics diagnostics(options.reading.quiet);
  if (unusable) diagnostics.unusable(path + ": " + *unusable);
  if (const auto nothing = investigation.nothing_kept(); nothing && !unusable) {
    options.fail_empty ? diagnostics.check_failed(path + ": " + *nothing) : diagnostics.warning(path, *nothing);
  }
  for (const std::string& warning : investigation.warnings()) diagnostics.warning(path, warning);
  for (const std::string& warning : not_decoded(*recording)) diagnostics.warning(path, warning);
  diagnostics.report(path, recording->stats());
  diagnostics.report(symbolizer);
  options.quality_tables.print(investigation.quality());
  return diagnostics.status();
}

}  // namespace

extern const Command offcpu_command{
    .name = "offcpu",
    .summary = "where the time went when threads were not running",
    .usage =
        "Usage: perfsift offcpu [OPTIONS] [FILE]\n\nTells where the time went when threads were not running, from a "
        "recording of sched:sched_switch and\nsched:sched_waking, of switch events, or of perf record --off-cpu.\n",
    .positional = ReadingOptions::positional,
    .start = start<OffcpuCommand>,
};

}  // namespace perfsift::tools
