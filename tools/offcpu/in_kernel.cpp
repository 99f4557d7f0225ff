#include "tools/offcpu/in_kernel.h"

#include <algorithm>
#include <ctime>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "tools/offcpu/kernel_filter.h"
#include "tools/record/answer.h"
#include "tools/record/event_options.h"
#include "tools/record/live_recorder.h"
#include "tools/record/output_options.h"
#include "tools/record/service_manager.h"
#include "tools/shorter_inputs.h"

namespace perfsift::tools {
namespace {

std::string date_text(std::time_t time) {
  std::tm local{};
  localtime_r(&time, &local);
  return fmt::format("{:%F %T}", local);
}

// The end of the recording for a reader that is a copy of this process.
class ReadingRun : public CommandRun {
 public:
  // `dates`: a line in front of the report says when the recording began.
  ReadingRun(std::function<int()> read, bool dates) : read_(std::move(read)), dates_(dates) {}
  void add_to(options::po::options_description& /*options*/) override {}
  int run(const options::Arguments& /*words*/) override {
    if (dates_) std::cout << "\n== from " << date_text(std::time(nullptr)) << '\n' << std::flush;
    return read_();
  }

 private:
  const std::function<int()> read_;
  const bool dates_;
};

record::Target target_of(const offcpu::IntervalLimits& limits, const options::Arguments& command) {
  record::Target target;
  target.processes.assign(limits.pids.begin(), limits.pids.end());
  target.threads.assign(limits.tids.begin(), limits.tids.end());
  target.command = command;
  target.system_wide = command.empty() && limits.pids.empty() && limits.tids.empty();
  // The limits of offcpu are about these processes only; a command is measured with all that it starts.
  target.inherit = !command.empty();
  return target;
}

}  // namespace

options::Arguments measured_command(const options::Arguments& words) {
  const auto mark = std::ranges::find(words, "--");
  return mark == words.end() ? options::Arguments() : options::Arguments(std::next(mark), words.end());
}

options::Arguments words_before_measured_command(const options::Arguments& words) {
  const auto mark = std::ranges::find(words, "--");
  const bool measures = std::find(words.begin(), mark, "--in-kernel") != mark;
  return measures ? options::Arguments(words.begin(), mark) : words;
}

int measure_in_kernel(OffcpuOptions& options, const options::Arguments& words, const std::function<int()>& read) {
  read_zeros_of_shorter_inputs();
  const offcpu::IntervalLimits& limits = options.filter.limits();
  record::SessionPlan session;
  session.target = target_of(limits, measured_command(words));
  if (!options.call_graph.empty()) read_call_graph(options.call_graph, session.content);
  if (session.content.call_graph == record::CallGraph::branch_stack)
    throw UsageError("--call-graph lbr: --in-kernel has stacks by frame pointers and by dwarf");
  record::WaitPlan plan = options.waits.apply(session);
  limit(plan, limits);
  limit(plan, options.expression);

  RecordOutputOptions output;
  output.quiet = options.recordings.inputs.quiet;
  output.longest = options.longest;
  output.begins_at = options.waits.begins_at;
  const bool reports_often = options.waits.every && !options.live;
  if (reports_often) output.switches.time = options.waits.every;
  // A service manager asks for reports by SIGHUP.
  const bool is_asked = session.target.command.empty() && !options.live && ServiceManager().is_there();
  const bool needs_dates = (reports_often || is_asked) && !options.prints_data();
  options::Arguments command_line{"perfsift", "offcpu"};
  command_line.insert(command_line.end(), words.begin(), words.end());
  Answer answer({.command = find_command("offcpu"),
                 .run = std::make_unique<ReadingRun>(read, needs_dates),
                 .words = {},
                 .prints_meanwhile = options.live});
  int command_status = done;
  try {
    LiveRecorder recorder(session, output, nullptr, "", command_line, &answer, options.waits.open(plan));
    command_status = exit_status_of(recorder.run());
    for (const std::string& warning : recorder.warnings()) {
      if (!output.quiet) std::cerr << "perfsift: warning: " << printable(warning) << '\n';
    }
  } catch (const output::OutputClosed&) {
    // The reader has ended, and says why.
  }
  const int status = answer.conclude();
  return status == done ? command_status : status;
}

}  // namespace perfsift::tools
