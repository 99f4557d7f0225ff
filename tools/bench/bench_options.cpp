#include "tools/bench/bench_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "options/number_option.h"
#include "tools/check/budget_file.h"

namespace perfsift::tools {
namespace {

// A text is for the shell, as in other programs that run commands again and again.
std::vector<std::string> words_of_shell(const std::string& text) { return {"/bin/sh", "-c", text}; }

}  // namespace

void BenchOptions::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("command", options::po::value(&texts_)->value_name("COMMAND")->composing(), "a command line for the shell");
  add("runs,n", options::whole_number(runs, {.least = 1}), "runs of each command (10)");
  add("warmup,w", options::whole_number(warmup), "warm-up runs, which do not count (1)");
  add("prepare,p", options::po::value(&prepare)->value_name("COMMAND"),
      "run this command before each run, without recording it");
  add("baseline", options::po::value(&baselines)->value_name("FILE")->composing(),
      "compare with this file; may be given several times");
  add("budget", options::po::value(&budget)->value_name("FILE"),
      "also judge the assertions in FILE: see perfsift-budget(7)");
  add("output,o", options::po::value(&output)->value_name("FILE"),
      "store the runs of one command as NAME.pb.gz, or write the result of a comparison or budget");
  add("keep", options::po::value(&keep)->value_name("DIRECTORY"), "keep the recordings in this directory");
  add("event,e", options::po::value(&recording.event)->value_name("NAME"), "the event (the default of perf record)");
  add("frequency,F", options::whole_number(recording.frequency, {.least = 1}),
      "samples per second (the default of perf record)");
  add("call-graph", options::po::value(&recording.call_graph)->value_name("fp|dwarf|lbr|none"),
      "how stacks are recorded (fp)");
  add("show-output", options::po::bool_switch(&recording.show_output), "show the output of the commands");
  add("ignore-failure,i", options::po::bool_switch(&recording.ignore_failure), "continue if a command fails");
  add("quiet,q", options::po::bool_switch(&quiet), "no warnings and no progress");
  add("json", options::po::bool_switch(&json), "print the result as one JSON object, and wall times to standard error");
  rules.add_to(description);
}

void BenchOptions::complete(const std::vector<std::string>& behind_dashes) {
  rules.prepare();
  set_commands(behind_dashes);
  check();
}

void BenchOptions::set_commands(const std::vector<std::string>& behind_dashes) {
  if (!behind_dashes.empty() && !texts_.empty())
    throw UsageError("name commands either as texts before --, or as one command behind it");
  if (texts_.size() > 2) throw UsageError(fmt::format("two commands are compared, not {}", texts_.size()));
  if (texts_.size() == 2) {
    commands = {{"baseline", words_of_shell(texts_.front())}, {"candidate", words_of_shell(texts_.back())}};
  } else if (!texts_.empty() || !behind_dashes.empty()) {
    const char* name = baselines.empty() ? "command" : "candidate";
    commands = {{name, texts_.empty() ? behind_dashes : words_of_shell(texts_.front())}};
  } else {
    throw UsageError(
        "which command? perfsift bench 'OLD' 'NEW' compares two, perfsift bench -o FILE -- COMMAND stores one");
  }
}

void BenchOptions::check() const {
  constexpr const char* call_graphs[] = {"fp", "dwarf", "lbr", "none"};
  if (std::ranges::find(call_graphs, recording.call_graph) == std::end(call_graphs) &&
      !recording.call_graph.starts_with("dwarf,"))
    throw UsageError("--call-graph " + recording.call_graph + ": there are fp, dwarf, lbr and none");
  if (commands.size() == 2 && !baselines.empty())
    throw UsageError("two commands are compared with each other; --baseline needs one command");
  if (!judges() && (json || !rules.given().empty())) {
    throw UsageError((json ? std::string("--json") : rules.given().front()) +
                     ": is for comparisons, of two commands or with --baseline, and for --budget");
  }
  if (!judges() && output.empty() && keep.empty()) {
    throw UsageError(
        "one command alone: -o FILE stores its runs, --baseline FILE compares them, --budget FILE judges them, --keep "
        "DIRECTORY keeps the recordings");
  }
  check_budget();
}

// Checks the budget before anything is recorded.
void BenchOptions::check_budget() const {
  if (budget.empty()) return;
  if (budget == "-") throw UsageError("--budget -: the file is read again after the runs; name a file");
  const filter::Budget read = read_budget(budget);
  if (read.needs_baseline() && !compares())
    throw UsageError(printable(budget) + ": compares with a baseline: a second command, or --baseline");
}

}  // namespace perfsift::tools
