// perfsift record: the kernel's rings to a recording.

#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/size_text.h"
#include "output/files/run_files.h"
#include "tools/command.h"
#include "tools/record/answer.h"
#include "tools/record/answer_options.h"
#include "tools/record/command_words.h"
#include "tools/record/event_options.h"
#include "tools/record/flight_options.h"
#include "tools/record/flight_recorder.h"
#include "tools/record/keep_options.h"
#include "tools/record/live_recorder.h"
#include "tools/record/output_options.h"
#include "tools/record/recorder_priority.h"
#include "tools/record/register_names.h"
#include "tools/record/target_options.h"
#include "tools/record/wait_options.h"
#include "tools/shorter_inputs.h"

namespace perfsift::tools {
namespace {

struct RecordCommand : CommandRun {
  EventOptions events;
  TargetOptions target;
  ContentOptions content;
  KeepOptions keep;
  RecordOutputOptions output;
  FlightOptions flight;
  AnswerOptions answers;
  WaitOptions waits;
  std::string control;
  std::optional<record::WaitPlan> measured;  // with --in-kernel

  void add_to(options::po::options_description& description) override;
  options::Arguments own_words(const options::Arguments& words) const override;
  void take(const std::string& option, const std::string& value) override { events.take(option, value); }
  int run(const options::Arguments& words) override;

 private:
  std::size_t command_begins(const options::Arguments& words) const;
  record::SessionPlan plan(const options::Arguments& words);
  void check_in_kernel() const;
  void say(const std::string& sentence) const;
  void print_events(const record::Session& session) const;
  RecordedTotals record_flight(const record::SessionPlan& what, const KeptSamples* kept,
                               const options::Arguments& command_line);
  RecordedTotals record_all(const record::SessionPlan& what, const KeptSamples* kept,
                            const options::Arguments& command_line, Answer* answer = nullptr);
  int answer_at_once(const record::SessionPlan& what, const KeptSamples* kept, const options::Arguments& command_line,
                     AnswerRequest request);
  void conclude(const LiveRecorder& recorder, const RecordedTotals& totals, const std::string& place) const;
};

void RecordCommand::add_to(options::po::options_description& description) {
  events.add_to(description);
  target.add_to(description);
  content.add_to(description);
  keep.add_to(description);
  output.add_to(description);
  flight.add_to(description);
  answers.add_to(description);
  waits.add_to(description);
  description.add_options()("control", options::po::value(&control)->value_name("fifo:COMMANDS[,ACKS]|fd:N[,M]"),
                            "take the commands enable, disable, ping, snapshot and stop while recording");
}

std::size_t RecordCommand::command_begins(const options::Arguments& words) const {
  RecordCommand other;  // whose variables the options may set
  options::po::options_description description;
  other.add_to(description);
  return words_before_command(words, options::facts_of(description));
}

// Boost would take the words of the command for options.
options::Arguments RecordCommand::own_words(const options::Arguments& words) const {
  options::Arguments own(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(command_begins(words)));
  if (!own.empty() && own.back() == "--") own.pop_back();
  return own;
}

record::SessionPlan RecordCommand::plan(const options::Arguments& words) {
  record::SessionPlan plan;
  const options::Arguments command(words.begin() + static_cast<std::ptrdiff_t>(command_begins(words)), words.end());
  std::vector<std::string> notes;
  target.apply(command, plan);
  if (flight.when() || answers.needs_switches()) events.prefer(record::Preset::offcpu);
  if (!waits.in_kernel) events.apply(plan, notes);
  content.apply(plan);
  output.apply(plan);
  if (flight.on()) flight.apply(plan, output.sizes_rings());
  if (waits.in_kernel) measured = waits.apply(plan);
  for (const std::string& note : notes) say(note);
  return plan;
}

void RecordCommand::check_in_kernel() const {
  const auto refuse = [](bool given, std::string_view option) {
    if (given) throw UsageError(fmt::format("--in-kernel and {} exclude each other", option));
  };
  if (!events.is_only(record::Preset::offcpu)) throw UsageError("--in-kernel measures waits: it needs --preset offcpu");
  refuse(keep.on(), "--keep");
  refuse(output.in_threads(), "--threads");
  refuse(output.overwrites(), "--overwrite");
  refuse(output.delays(), "--delay");
  refuse(output.switches.any(), "--switch-output");
  refuse(flight.on(), "--flight");
  refuse(!control.empty(), "--control");
}

void RecordCommand::say(const std::string& sentence) const {
  if (!output.quiet) std::cerr << "perfsift: " << printable(sentence) << '\n';
}

void RecordCommand::print_events(const record::Session& session) const {
  if (!output.verbose) return;
  for (std::size_t i = 0; i < session.events().size(); ++i) {
    const auto attr = reader::decode_event_attr(session.events()[i].attr, ByteOrder::native);
    if (!attr) continue;
    say(fmt::format("{}: type {}, config {:#x}, {} {}, sample_type {:#x}, flags {:#x}", session.event_names()[i],
                    attr->type, attr->config, attr->freq() ? "frequency" : "period", attr->sample_period,
                    attr->sample_type, attr->flags));
  }
}

std::string place_of(const RecordedTotals& totals) {
  return totals.files.size() == 1 ? fmt::format("in {}", totals.files.front())
                                  : fmt::format("in {} files", totals.files.size());
}

// `place`: where the bytes are.
void RecordCommand::conclude(const LiveRecorder& recorder, const RecordedTotals& totals,
                             const std::string& place) const {
  for (const std::string& warning : recorder.warnings()) say("warning: " + warning);
  constexpr std::string_view advice = ": larger rings by -m, or fewer events, lose fewer";
  const std::string dropped = totals.dropped == 0 ? "" : fmt::format("{} dropped by --keep, ", totals.dropped);
  say(fmt::format("{} samples, {}{}{}, {}B {}", totals.samples, trace_text(totals.traces.bytes), dropped,
                  lost_text(totals.lost, totals.samples, advice), size_text(totals.bytes), place));
  for (const std::string& line : trace_losses(totals.traces)) say("warning: " + line);
  if (totals.samples + totals.dropped + totals.traces.bytes == 0)
    say("no sample was taken: nothing ran, or nothing of the kind that the events count");
}

RecordedTotals RecordCommand::record_all(const record::SessionPlan& what, const KeptSamples* kept,
                                         const options::Arguments& command_line, Answer* answer) {
  LiveRecorder recorder(what, output, kept, control, command_line, answer,
                        waits.in_kernel ? waits.open(*measured) : nullptr);
  print_events(recorder.session());
  if (output.real_time) run_in_real_time(*output.real_time);
  RecordedTotals totals = recorder.run();
  conclude(recorder, totals,
           answer != nullptr ? fmt::format("read by perfsift {}", answer->request().command->name) : place_of(totals));
  return totals;
}

RecordedTotals RecordCommand::record_flight(const record::SessionPlan& what, const KeptSamples* kept,
                                            const options::Arguments& command_line) {
  FlightRecorder recorder(what, output, flight, kept, control, command_line);
  print_events(recorder.session());
  if (output.real_time) run_in_real_time(*output.real_time);
  RecordedTotals totals = recorder.run();
  std::string sizes;
  if (!totals.files.empty()) sizes = fmt::format(", {} samples, {}B", totals.samples, size_text(totals.bytes));
  say(fmt::format("{} snapshots{}", totals.files.size(), sizes));
  return totals;
}

// The summary comes before the answer, which begins when the recording has ended. The command that was recorded has
// ended by then, too.
int RecordCommand::answer_at_once(const record::SessionPlan& what, const KeptSamples* kept,
                                  const options::Arguments& command_line, AnswerRequest request) {
  Answer answer(std::move(request));
  int status = done;
  bool ended_early = false;
  try {
    status = exit_status_of(record_all(what, kept, command_line, &answer));
  } catch (const output::OutputClosed&) {
    ended_early = true;
  }
  const int answered = answer.conclude();
  if (answered != done) return answered;
  if (ended_early) say(fmt::format("perfsift {} has ended, and the recording with it", answer.request().command->name));
  return status;
}

int RecordCommand::run(const options::Arguments& words) {
  if (content.asks_registers()) return std::cout << "available registers: " << sampled_register_names() << '\n', done;
  read_zeros_of_shorter_inputs();
  output.complete();
  flight.complete(output);
  answers.check(output, flight);
  waits.complete();
  if (waits.in_kernel) check_in_kernel();
  output.begins_at = waits.begins_at;
  AnswerRequest request;
  if (answers.on() && (request = answers.request()).run == nullptr) return done;  // its help
  if (request.run == nullptr) output::RunFiles().writes(output.path);
  record::SessionPlan what = plan(words);
  const std::unique_ptr<KeptSamples> kept = keep.apply(what);
  if (kept && output.verbose) std::ranges::for_each(kept->reasons, [&](const std::string& line) { say(line); });
  options::Arguments command_line{"perfsift", "record"};
  command_line.insert(command_line.end(), words.begin(), words.end());
  if (request.run != nullptr) return answer_at_once(what, kept.get(), command_line, std::move(request));
  return exit_status_of(flight.on() ? record_flight(what, kept.get(), command_line)
                                    : record_all(what, kept.get(), command_line));
}

}  // namespace

extern const Command record_command{
    .name = "record",
    .summary = "record events of the kernel, as perf record does",
    .usage =
        "Usage: perfsift record [OPTIONS] [--] COMMAND [ARGUMENTS...]\n"
        "       perfsift record [OPTIONS] -a|-p PID|-t TID|-u USER|-C CPUS|-G GROUP\n\n"
        "Reads the ring buffers of the kernel and writes a recording, which perf and all other commands read.\n",
    .start = start<RecordCommand>,
};

}  // namespace perfsift::tools
