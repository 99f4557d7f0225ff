// What the commands that read inputs into a profile have in common: their options, the reading, the messages about the
// inputs, and the exit status.
//
// ```cpp
// ProfileCommand inputs;
// inputs.add_to(options);
// if (!options::parse(arguments, usage, options, ReadingOptions::positional)) return done;
// inputs.prepare();
// output::RunFiles files;
// inputs.note_files(files);
// analysis::Profile profile;
// inputs.read(profile, analysis::StackOptions());
// return inputs.conclude();
// ```
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "analysis/profile/quality.h"
#include "analysis/table/table_builder.h"
#include "filter/filter.h"
#include "options/command_line.h"
#include "output/files/output_file.h"
#include "output/files/run_files.h"
#include "symbolize/symbolizer.h"
#include "tools/input_profile.h"
#include "tools/profile/apart_reader.h"
#include "tools/profile/quality_tables.h"
#include "tools/recording/recording_run.h"

namespace perfsift::tools {

// Not thread-safe.
class ProfileCommand {
 public:
  // `accesses`: whether the command has the options about memory accesses.
  void add_to(options::po::options_description& options,
              FilterOptions::Accesses accesses = FilterOptions::Accesses::filtered);
  // Call it after the options have been parsed. Throws UsageError, and InputError for files that cannot be read.
  void prepare();
  // Instead, if the command line has groups of inputs: the paths that each group names. Not both.
  void prepare(const std::vector<std::vector<std::string>>& groups);
  // Some of the inputs, for read_apart().
  void take_open(OpenInputs open) { open_ = std::move(open); }
  // The paths on the command line; what is read without any, see ReadingOptions::paths().
  std::vector<std::string> named_paths() const { return options_.inputs.paths(); }
  bool names_any_path() const { return options_.inputs.names_any(); }

  // The reading of the inputs, folders opened. After prepare().
  RecordingRun& run() const { return *run_; }
  const std::vector<std::string>& paths() const { return run_->paths(); }
  const filter::Filter& filter() const { return filter_; }
  std::vector<filter::FilterText> filter_texts() const { return options_.filtering.texts(); }
  const std::vector<std::string>& events() const { return events_; }
  bool quiet() const { return options_.inputs.quiet; }
  unsigned threads() const { return options_.jobs.threads(); }
  void note_files(output::RunFiles& files) const { run_->note_files(files); }
  void check_output(const std::string& output) const { run_->check_output(output); }
  symbolize::Symbolizer& symbolizer() const { return run_->symbolizer(); }
  // The words of a command line that gives the same names, but for --debuginfod.
  options::Arguments naming_words() const { return options_.naming.words(); }

  // Adds the stacks of all inputs to `profile`, and their samples to `rows`. An input that cannot be used does not stop
  // the others. Throws UsageError if an option does not fit the inputs.
  void read(analysis::Profile& profile, const analysis::StackOptions& stacks, analysis::TableBuilder* rows = nullptr);
  // Adds each of paths() to lists of the profile, and to a table, of its own. `compilers`: see ProfileReading.
  std::deque<ReadInput> read_apart(analysis::Profile& profile, const analysis::StackOptions& stacks,
                                   bool compilers = false);
  // The same for the inputs of one group.
  void read_group(std::size_t group, analysis::Profile& profile, const analysis::StackOptions& stacks);
  // For inputs that are read in another way: keeps the reports for conclude(). Throws UsageError as read() does.
  void take(std::vector<InputReport> reports);

  // For outputs that add up all amounts: keeps the stacks of events that can be added up, unless --event has chosen;
  // see keep_shown_events(). conclude() says what was removed. Call it once. Rows of samples then have no stacks.
  // Returns what was removed.
  const std::string& keep_shown_events(analysis::Profile& profile);

  // For commands that can show nothing without samples: conclude() reports an empty result as --fail-empty does.
  void fail_if_empty() { needs_samples_ = true; }
  // Losses are shown as stacks, which is enough if all samples were lost.
  void show_losses() { shows_losses_ = true; }

  // The inputs that were read, and their quality together.
  const std::vector<InputReport>& reports() const { return reports_; }
  bool any_usable() const { return tools::any_usable(reports_); }
  // Whether any sample became a stack.
  bool any_kept() const;
  // The same, or only losses can be shown, and are.
  bool any_shown() const { return any_kept() || (shows_losses_ && all_lost()); }
  // The reports of one group.
  std::span<const InputReport> reports_of_group(std::size_t group) const;
  analysis::Quality quality() const { return quality_of(reports_); }
  // As RecordingRun.
  void write(const std::string& output, const std::function<void(output::OutputFile&)>& write) {
    run_->write(output, write);
  }

  // Errors, warnings, the tables of what has no name and of incomplete stacks, budgets; the exit status that follows.
  int conclude();

 private:
  void read_paths(std::span<const std::string> paths, analysis::Profile& profile, const analysis::StackOptions& stacks,
                  analysis::TableBuilder* rows);
  void check_budget_applies(const std::vector<InputReport>& reports) const;
  // Whether samples were lost, and none is left.
  bool all_lost() const;

  RecordingOptions options_;
  analysis::QualityBudget budget_;
  QualityTables quality_tables_;
  bool needs_samples_ = false;
  bool shows_losses_ = false;
  std::vector<std::string> events_;

  filter::Filter filter_;
  std::unique_ptr<RecordingRun> run_;
  std::vector<std::size_t> group_ends_;  // of each group in paths()
  std::vector<std::string> skipped_;     // files in folders that are no recordings
  OpenInputs open_;
  std::vector<InputReport> reports_;
  std::string removed_events_;  // see keep_shown_events()
};

}  // namespace perfsift::tools
