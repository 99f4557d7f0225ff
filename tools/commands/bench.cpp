// perfsift bench: from commands to stored runs, or to a verdict.

#include <algorithm>
#include <csignal>
#include <deque>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/input/command_time.h"
#include "base/error.h"
#include "output/files/run_files.h"
#include "output/gate/wall_times_text.h"
#include "tools/bench/bench_options.h"
#include "tools/bench/program_run.h"
#include "tools/bench/recorder.h"
#include "tools/command.h"
#include "tools/temporary_folder.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

// A command and its recordings.
struct RecordedCommand {
  BenchCommand command;
  std::vector<std::string> files;
};

// The folder of the recordings: the one that the user named, or a private one, which is removed with the recordings.
class RecordingFolder {
 public:
  explicit RecordingFolder(const std::string& keep) {
    if (keep.empty()) {
      path_ = temporary_.emplace().file("");
      return;
    }
    std::error_code error;
    std::filesystem::create_directories(keep, error);
    if (error) throw Error(fmt::format("'{}': cannot be made: {}", keep, error.message()));
    path_ = keep + "/";
  }

  std::string file(const std::string& name, unsigned run) const {
    return fmt::format("{}{}-{:03}.data", path_, name, run);
  }

 private:
  std::optional<TemporaryFolder> temporary_;
  std::string path_;
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options)
      : options_(options), folder_(options.keep), recorder_(options.recording, watch_), progress_(options.quiet) {
    for (const BenchCommand& command : options.commands) recorded_.push_back({.command = command});
  }

  // Records all commands in turn: what changes slowly in the machine then changes both alike.
  const std::deque<RecordedCommand>& record() {
    recorder_.check();
    refuse_old_recordings();
    for (unsigned run = 1; run <= options_.warmup; ++run) {
      for (RecordedCommand& each : recorded_) {
        const std::string file = folder_.file("warmup", run);
        record(each.command, file, fmt::format("warm-up {} of {}", run, options_.warmup));
        std::filesystem::remove(file);
      }
    }
    for (unsigned run = 1; run <= options_.runs; ++run) {
      for (RecordedCommand& each : recorded_) {
        record(each.command, each.files.emplace_back(folder_.file(each.command.name, run)),
               fmt::format("run {} of {}", run, options_.runs));
      }
    }
    progress_.end();
    return recorded_;
  }

 private:
  // Recordings of another time among the new ones would be taken for runs.
  void refuse_old_recordings() const {
    for (const RecordedCommand& each : recorded_) {
      const std::string first = folder_.file(each.command.name, 1);
      if (std::filesystem::exists(first)) throw UsageError("'" + first + "' exists: name another folder for --keep");
    }
  }

  void record(const BenchCommand& command, const std::string& file, const std::string& what) {
    progress_.show([&] { return fmt::format("{}: {}", command.name, what); });
    if (!options_.prepare.empty()) recorder_.prepare(options_.prepare);
    recorder_.record(command.words, file, command.name + ", " + what);
  }

  const BenchOptions& options_;
  const SignalWatch watch_;
  const RecordingFolder folder_;
  const Recorder recorder_;
  Progress progress_;
  std::deque<RecordedCommand> recorded_;
};

output::WallTimes times_of(const RecordedCommand& recorded) {
  output::WallTimes times{.name = recorded.command.name, .times = {}};
  for (const std::string& file : recorded.files) {
    if (const auto time = analysis::command_time(*reader::Recording::open(file))) times.times.push_back(*time);
  }
  return times;
}

void show_times(const std::deque<RecordedCommand>& all, bool to_stdout) {
  std::vector<output::WallTimes> times;
  for (const RecordedCommand& recorded : all) times.push_back(times_of(recorded));
  output::TextWriter out;
  output::write_wall_times(times, out);
  if (!to_stdout) {
    std::cerr << out.view();
    return;
  }
  write_output(output::OutputFile::standard_output, [&](output::OutputFile& file) { file.write(out.view()); });
}

int store(const BenchOptions& options, const RecordedCommand& recorded) {
  options::Arguments arguments{"-o", options.output};
  if (options.quiet) arguments.emplace_back("-q");
  arguments.insert(arguments.end(), recorded.files.begin(), recorded.files.end());
  return run_command(*find_command("merge"), arguments);
}

int judge(const BenchOptions& options, const std::deque<RecordedCommand>& recorded) {
  options::Arguments arguments = options.rules.given();
  if (options.quiet) arguments.emplace_back("-q");
  if (options.json) arguments.emplace_back("--json");
  if (!options.output.empty()) arguments.insert(arguments.end(), {"-o", options.output});
  if (!options.budget.empty()) arguments.insert(arguments.end(), {"--budget", options.budget});
  if (options.compares()) {
    const std::vector<std::string>& baseline = options.baselines.empty() ? recorded.front().files : options.baselines;
    arguments.emplace_back("--baseline");
    arguments.insert(arguments.end(), baseline.begin(), baseline.end());
  }
  arguments.emplace_back("--candidate");
  arguments.insert(arguments.end(), recorded.back().files.begin(), recorded.back().files.end());
  return run_command(*find_command("check"), arguments);
}

int record_and_judge(const BenchOptions& options) {
  Bench bench(options);
  const std::deque<RecordedCommand>& recorded = bench.record();
  show_times(recorded, !options.json && !output::OutputFile::is_standard_output(options.output));
  if (options.judges()) return judge(options, recorded);
  return options.output.empty() ? done : store(options, recorded.front());
}

struct BenchRun : CommandRun {
  BenchOptions options;

  void add_to(options::po::options_description& description) override { options.add_to(description); }
  // boost would take the words of a command behind -- for more commands.
  options::Arguments own_words(const options::Arguments& words) const override {
    return {words.begin(), std::ranges::find(words, "--")};
  }
  int run(const options::Arguments& words) override;
};

int BenchRun::run(const options::Arguments& words) {
  const auto dashes = std::ranges::find(words, "--");
  options.complete(options::Arguments(dashes == words.end() ? dashes : dashes + 1, words.end()));
  output::RunFiles().writes(options.output);
  try {
    return record_and_judge(options);
  } catch (const Interrupted& interrupted) {
    std::raise(interrupted.signal);  // nothing is left behind: now the signal does what it usually does
    throw Error(fmt::format("ended by signal {}", interrupted.signal));
  }
}

}  // namespace

extern const Command bench_command{
    .name = "bench",
    .summary = "record commands again and again, and check them",
    .usage =
        "Usage: perfsift bench [OPTIONS] 'BASELINE COMMAND' 'CANDIDATE COMMAND'\n"
        "       perfsift bench [OPTIONS] --baseline FILE -- CANDIDATE [ARGUMENTS...]\n"
        "       perfsift bench [OPTIONS] --budget FILE -- COMMAND [ARGUMENTS...]\n"
        "       perfsift bench [OPTIONS] -o FILE -- COMMAND [ARGUMENTS...]\n\n"
        "Records commands with perf record, again and again, in turn, and checks whether the candidate\n"
        "became slower; or stores the runs of one command as a baseline.\n",
    .positional = "command",
    .start = start<BenchRun>,
};

}  // namespace perfsift::tools
