// perfsift offcpu: where the time went when threads were not running.

#include <iostream>

#include "reader/recording.h"
#include "tools/command.h"
#include "tools/diagnostics.h"
#include "tools/offcpu/investigation.h"
#include "tools/offcpu/offcpu_options.h"

namespace perfsift::tools {

int offcpu(const Arguments& arguments) {
  offcpu::OffcpuOptions options;
  if (!options.parse(arguments)) return done;
  if (options.show_idle_list) return std::cout << offcpu::IdleWaits::built_in, done;

  Progress progress(options.reading.quiet);
  const std::string path = options.reading.single_path();
  options.check_files(path);
  reader::OpenOptions opening = open_options(path, progress);
  opening.store_stream = !options.cut_to.empty();  // to read it again
  const auto recording = reader::Recording::open(path, opening);
  symbolize::Symbolizer symbolizer(options.naming.symbolize_options());
  offcpu::Investigation investigation(options, *recording, symbolizer);
  try {
    investigation.read();
    progress.end();
    investigation.write();
  } catch (const OutputClosed&) {
    return done;
  }
  Diagnostics diagnostics(options.reading.quiet);
  for (const std::string& warning : investigation.warnings()) diagnostics.warning(path, warning);
  for (const std::string& warning : not_decoded(*recording)) diagnostics.warning(path, warning);
  diagnostics.report(path, recording->stats());
  return diagnostics.status();
}

}  // namespace perfsift::tools
