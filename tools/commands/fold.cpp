// perfsift fold: recordings to folded stacks.

#include <iostream>

#include "base/error.h"
#include "reader/recording.h"
#include "tools/command.h"
#include "tools/diagnostics.h"
#include "tools/output/folded.h"
#include "tools/profile/stack_collector.h"
#include "tools/reading_options.h"

namespace perfsift::tools {

int fold(const Arguments& arguments) {
  ReadingOptions reading;
  NamingOptions naming;
  JobsOption jobs;
  std::string output;
  po::options_description options("Options");
  reading.add_to(options);
  naming.add_to(options);
  jobs.add_to(options);
  options.add_options()("output,o", po::value(&output), "");
  if (!parse(arguments, "Usage: perfsift fold", options, ReadingOptions::positional)) return done;
  Profile profile;
  symbolize::Symbolizer symbolizer(naming.symbolize_options());
  for (const std::string& path : reading.paths()) {
    const auto recording = reader::Recording::open(path);
    StackCollector collector(*recording, symbolizer, profile, {}, [](const reader::Event& e) { return e.name; });
    collector.collect(jobs.threads());
  }
  OutputFile out(output);
  write_folded(profile, {.threads = jobs.threads(), .event_frame = profile.events_with_stacks().size() > 1}, out);
  return done;
}

}  // namespace perfsift::tools
