#include "tools/offcpu/in_kernel.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "tools/record/answer.h"
#include "tools/record/live_recorder.h"
#include "tools/record/output_options.h"

namespace perfsift::tools {
namespace {

// The end of the recording for a reader that is a copy of this process.
class ReadingRun : public CommandRun {
 public:
  explicit ReadingRun(std::function<int()> read) : read_(std::move(read)) {}
  void add_to(options::po::options_description& /*options*/) override {}
  int run(const options::Arguments& /*words*/) override { return read_(); }

 private:
  const std::function<int()> read_;
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

// The letters of TaskState::letter(). S is also the state of a thread of which only the switch is known.
std::uint32_t bits_of(char letter) {
  using State = offcpu::TaskState;
  switch (letter) {
    case 'R':
      return State::preempted;  // and those that yielded: see counts_wait() in waits.bpf.c
    case 'S':
      return State::sleeping;
    case 'D':
      return State::uninterruptible;
    case 'T':
      return State::stopped;
    case 't':
      return State::traced;
    case 'X':
      return State::dead;
    case 'Z':
      return State::zombie;
    case 'P':
      return State::parked;
    case 'I':
      return State::idle;
    case 'N':
      return State::created;
    default:
      return State::not_known;
  }
}

std::uint32_t states_of(const offcpu::IntervalLimits& limits) {
  std::uint32_t states = 0;
  if (limits.state_mask) states = *limits.state_mask == 0 ? offcpu::TaskState::preempted : *limits.state_mask;
  if (!limits.state_letters) return states;
  for (const char letter : *limits.state_letters) states |= bits_of(letter);
  return states;
}

// What the BPF programs decide; the reader decides all of it once more, and the expressions.
void limit(record::WaitPlan& plan, const offcpu::IntervalLimits& limits) {
  plan.comms.assign(limits.comms.begin(), limits.comms.end());
  plan.user_threads = limits.user_threads;
  plan.kernel_threads = limits.kernel_threads;
  plan.shortest = limits.min_length;
  plan.longest = limits.max_length == ~std::uint64_t{0} ? 0 : limits.max_length;
  plan.states = states_of(limits);
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
  const offcpu::IntervalLimits& limits = options.filter.limits();
  record::SessionPlan session;
  session.target = target_of(limits, measured_command(words));
  record::WaitPlan plan = options.waits.apply(session);
  limit(plan, limits);

  RecordOutputOptions output;
  output.quiet = options.recordings.inputs.quiet;
  output.longest = options.longest;
  options::Arguments command_line{"perfsift", "offcpu"};
  command_line.insert(command_line.end(), words.begin(), words.end());
  Answer answer({.command = find_command("offcpu"),
                 .run = std::make_unique<ReadingRun>(read),
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
