// perfsift offcpu: where the time went when threads were not running.

#include "base/error.h"
#include "reader/recording.h"
#include "tools/command.h"
#include "tools/diagnostics.h"
#include "tools/offcpu/names.h"
#include "tools/offcpu/recording_feed.h"
#include "tools/offcpu/scheduler.h"
#include "tools/offcpu/timehist.h"
#include "tools/output/output_file.h"
#include "tools/reading_options.h"

namespace perfsift::tools {
namespace {
struct OffcpuCommand {
  ReadingOptions reading;
  NamingOptions naming;
  bool timehist = false;
};
}  // namespace

int offcpu(const Arguments& arguments) {
  OffcpuCommand command;
  po::options_description description("Options");
  command.reading.add_to(description);
  description.add_options()("timehist", po::bool_switch(&command.timehist), "print what perf sched timehist prints");
  command.naming.add_to(description);
  if (!parse(arguments, "Usage: perfsift offcpu [OPTIONS] [FILE]\n", description, ReadingOptions::positional))
    return done;
  Progress progress(command.reading.quiet);
  const std::string path = command.reading.single_path();
  const auto recording = reader::Recording::open(path, open_options(path, progress));
  symbolize::Symbolizer symbolizer(command.naming.symbolize_options());
  const CodeVersions versions(*recording, symbolizer);
  OutputFile output(OutputFile::standard_output);
  TextWriter out([&](std::string_view text) { output.write(text); });
  perfsift::offcpu::StackTable stacks;
  struct Late : perfsift::offcpu::SchedulerListener {
    perfsift::offcpu::SchedulerListener* to = nullptr;
    void left(perfsift::offcpu::ThreadNumber t, std::int32_t c, std::uint64_t n,
              const perfsift::offcpu::TimehistFigures& f) override {
      if (to) to->left(t, c, n, f);
    }
  } late;
  perfsift::offcpu::Scheduler scheduler(late);
  perfsift::offcpu::FeedListener none;
  perfsift::offcpu::Names names(*recording, symbolizer, versions, scheduler, stacks, {});
  perfsift::offcpu::TimehistPrinter printer(names, out);
  if (command.timehist) late.to = &printer;
  perfsift::offcpu::RecordingFeed feed(*recording, {.tables = &symbolizer.unwind_tables()}, versions, {}, scheduler,
                                       stacks, none);
  recording->visit_in_order(feed);
  scheduler.finish();
  out.flush();
  fmt::print(stderr, "{} stacks {} switches {} contradictions {} threads\n", stacks.size(), scheduler.counts().switches,
             scheduler.counts().contradictions, scheduler.threads().size());
  Diagnostics diagnostics(command.reading.quiet);
  diagnostics.report(path, recording->stats());
  return diagnostics.status();
}

}  // namespace perfsift::tools
