// The options of perfsift check that store runs, and that compare with stored runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/gate/verdict.h"
#include "options/command_line.h"
#include "output/files/run_files.h"
#include "tools/gate/run_history.h"
#include "tools/gate/run_store.h"

namespace perfsift::tools {

class HistoryOptions {
 public:
  void add_to(options::po::options_description& description);
  // Call it after the options have been parsed: reads the folder of the history. Throws UsageError and InputError.
  void prepare(unsigned threads);
  void note_files(output::RunFiles& files) const;

  bool any() const { return history_.has_value(); }
  // The baseline, oldest first.
  const std::vector<std::string>& baseline() const { return baseline_; }
  // The files of the baseline that are open already.
  OpenInputs take_open() { return history_ ? history_->take_open() : OpenInputs(); }
  // Whether another job has removed a file of the baseline since.
  bool baseline_changed() const;
  // Whether each file is one repeat: with fewer files, their runs are.
  bool files_are_repeats() const { return baseline_.size() >= fewest_files; }
  void set(analysis::Rules& rules) const;
  // The reason for an empty history.
  analysis::Reason nothing_stored(bool tolerated) const;
  // Remarks about the folder, and about a candidate that is not stored.
  std::vector<std::string> notes(analysis::Outcome outcome) const;

  bool stores(analysis::Outcome outcome) const;
  void store(RunStore& runs, unsigned threads);

 private:
  static constexpr std::size_t fewest_files = 3;

  std::string folder_, save_to_, drift_ = "fail";
  unsigned runs_ = 20;
  bool save_anyway_ = false, prune_ = false;
  std::optional<RunHistory> history_;
  std::vector<std::string> baseline_;
};

}  // namespace perfsift::tools
