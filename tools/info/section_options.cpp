#include "tools/info/section_options.h"

#include "base/error.h"

namespace perfsift::tools {

namespace po = boost::program_options;

void SectionOptions::add_to(po::options_description& options) {
  const auto add = [&](const char* name, bool& target, const char* text) {
    options.add_options()(name, po::bool_switch(&target), text);
  };
  add("header", asked.header, "the machine and the run: the header and all its features");
  add("events", asked.events, "the events, with their attributes");
  add("stats", asked.stats, "records by type");
  add("losses", asked.losses, "losses, and when the kernel throttled events");
  add("processes", asked.processes, "samples by process and name");
  add("cpus", asked.cpus, "samples by CPU");
  add("quality", asked.quality, "frames without a name, with the reason, and cut stacks");
  add("all", all, "all sections, in full length");
  add("no-quality", no_quality, "look up no symbols");
}

output::Sections SectionOptions::chosen() const {
  if (asked.quality && no_quality) throw UsageError("--quality and --no-quality contradict each other");
  output::Sections sections = asked;
  const bool any =
      asked.header || asked.events || asked.stats || asked.losses || asked.processes || asked.cpus || asked.quality;
  if (all || !any) sections = output::Sections::everything();
  sections.brief = !all && !any;
  if (no_quality) sections.quality = false;
  return sections;
}

}  // namespace perfsift::tools
