// The shared part of commands that read inputs into a profile: their options, the reading, the messages about the
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
  // Must be called after the options have been parsed. Throws UsageError, and InputError for files that cannot be read.
  void prepare();
  // Replaces prepare() if the command line has groups of inputs. `groups`: the paths of each group.
  void prepare(const std::vector<std::vector<std::string>>& groups);
  // Takes inputs that are already open, for read_apart().
  void take_open(OpenInputs open) { open_ = std::move(open); }
  // The paths on the command line. See ReadingOptions::paths() for the input without any path.
  std::vector<std::string> named_paths() const { return options_.inputs.paths(); }
  bool names_any_path() const { return options_.inputs.names_any(); }

  // The reading of the inputs, in which folders are replaced by their files. Valid after prepare().
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
  // The options that give the same names, except --debuginfod.
  options::Arguments naming_words() const { return options_.naming.words(); }

  // Adds the stacks of all inputs to `profile`, and their samples to `rows`. An input that cannot be used does not stop
  // the others. Throws UsageError if an option does not fit the inputs.
  void read(analysis::Profile& profile, const analysis::StackOptions& stacks, analysis::TableBuilder* rows = nullptr);
  // Adds each of paths() to lists and a table of its own. `runs`: see ProfileReading.
  std::deque<ReadInput> read_apart(analysis::Profile& profile, const analysis::StackOptions& stacks, bool runs = false);
  // read() for the inputs of one group.
  void read_group(std::size_t group, analysis::Profile& profile, const analysis::StackOptions& stacks);
  // Keeps the reports for conclude(), for inputs that are read in another way. Throws UsageError as read() does.
  void take(std::vector<InputReport> reports);

  // For outputs that add up all amounts. Keeps only the stacks of events whose amounts can be added, unless --event has
  // chosen events: see keep_shown_events(). conclude() reports what was removed. Must be called once. Rows of samples
  // then have no stacks. Returns what was removed.
  const std::string& keep_shown_events(analysis::Profile& profile);

  // For commands that can show nothing without samples. conclude() then reports an empty result as with --fail-empty.
  void fail_if_empty() { needs_samples_ = true; }
  // For commands that show losses as stacks. An input whose samples were all lost then still gives a result.
  void show_losses() { shows_losses_ = true; }

  // The reports of the inputs, and the sum of their quality.
  const std::vector<InputReport>& reports() const { return reports_; }
  bool any_usable() const { return tools::any_usable(reports_); }
  // Whether any sample became a stack.
  bool any_kept() const;
  // Whether any sample became a stack, or all samples were lost and the losses are shown.
  bool any_shown() const { return any_kept() || (shows_losses_ && all_lost()); }
  // The reports of one group.
  std::span<const InputReport> reports_of_group(std::size_t group) const;
  analysis::Quality quality() const { return quality_of(reports_); }
  // Writes as RecordingRun::write() does.
  void write(const std::string& output, const std::function<void(output::OutputFile&)>& write) {
    run_->write(output, write);
  }

  // Prints errors, warnings, the tables of missing names and incomplete stacks, and exceeded budgets. Returns the exit
  // status.
  int conclude();

 private:
  void read_paths(std::span<const std::string> paths, analysis::Profile& profile, const analysis::StackOptions& stacks,
                  analysis::TableBuilder* rows);
  void check_budget_applies(const std::vector<InputReport>& reports) const;
  // Whether samples were lost, and no sample is left.
  bool all_lost() const;

  RecordingOptions options_;
  analysis::QualityBudget budget_;
  QualityTables quality_tables_;
  bool needs_samples_ = false;
  bool shows_losses_ = false;
  std::vector<std::string> events_;

  filter::Filter filter_;
  std::unique_ptr<RecordingRun> run_;
  std::vector<std::size_t> group_ends_;  // the end of each group in paths()
  std::vector<std::string> skipped_;     // files in folders that are not recordings
  OpenInputs open_;
  std::vector<InputReport> reports_;
  std::string removed_events_;  // see keep_shown_events()
};

}  // namespace perfsift::tools
