// perfsift top: where the machine spends its time now.

#include <memory>
#include <string>
#include <vector>

#include "tools/command.h"
#include "tools/shorter_inputs.h"
#include "tools/top/live_table.h"
#include "tools/top/top_options.h"

namespace perfsift::tools {
namespace {

struct TopCommand : CommandRun {
  TopOptions wanted;

  void add_to(options::po::options_description& description) override { wanted.add_to(description); }
  // --filter is about names, and not the kernel's filter of an event.
  void take(const std::string& option, const std::string& value) override {
    if (option == "event") wanted.events.take(option, value);
  }
  int run(const options::Arguments& words) override;
};

int TopCommand::run(const options::Arguments& /*words*/) {
  wanted.complete();
  read_zeros_of_shorter_inputs();
  std::vector<std::string> notes;
  record::SessionPlan plan = wanted.plan(notes);
  const std::unique_ptr<KeptSamples> kept = wanted.keep.apply(plan);
  LiveTable(wanted, plan, kept.get(), std::move(notes)).run();
  return done;
}

}  // namespace

extern const Command top_command{
    .name = "top",
    .summary = "show where the machine spends its time now, as a table that refreshes",
    .usage =
        "Usage: perfsift top [OPTIONS]\n\nSamples what runs, and shows the functions in which the samples of the last "
        "interval are, as a table.\nOn a terminal the table refreshes: q quits, p pauses, z sums up.\n",
    .start = start<TopCommand>,
};

}  // namespace perfsift::tools
