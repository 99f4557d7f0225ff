// Inputs as a stored profile: a profile of pprof in which the runs stay apart.
#pragma once

#include <span>
#include <vector>

#include "analysis/gate/stored_runs.h"
#include "analysis/profile/profile.h"
#include "analysis/table/sample_table.h"
#include "analysis/table/table_builder.h"
#include "output/files/output_file.h"
#include "tools/input_profile.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {

// An input that was read by ProfileCommand::read_apart().
struct InputOfRuns {
  const InputReport* report = nullptr;
  const ReadInput* read = nullptr;
};

// Not thread-safe. The profile must live longer.
class RunStore {
 public:
  // The profile may have lists of other inputs before those of `inputs`. An input is one run, or the runs of a stored
  // profile; with `one_run`, all inputs are one run together. Throws InputError for stored runs that were changed.
  RunStore(const analysis::Profile& profile, std::span<const InputOfRuns> inputs, bool one_run);

  // All runs that have no time yet were stored now, in nanoseconds since 1970.
  void stamp(std::uint64_t now);
  // The latest of these times; 0 before stamp().
  std::uint64_t stored_at() const;
  // The same inputs in the same order give the same bytes, with any number of threads.
  void write(unsigned threads, output::OutputFile& out) const;

 private:
  void add(const InputOfRuns& input, analysis::TableBuilder& rows);
  void add_as_one(std::span<const InputOfRuns> inputs, analysis::TableBuilder& rows);
  void write(const analysis::Profile& profile, const analysis::SampleTable& table, unsigned threads,
             output::OutputFile& out) const;
  std::vector<analysis::EventId> events() const;
  std::vector<analysis::StoredRun> runs_with_samples() const;

  const analysis::Profile& profile_;
  std::size_t first_list_ = 0;   // of the inputs
  analysis::SampleTable table_;  // of sums
  std::vector<analysis::Run> runs_;
};

// How inputs are read whose runs are stored: as functions, without threads.
analysis::StackOptions stored_stacks(analysis::StackOptions stacks);

// Whether an input has runs of its own: a stored profile, or a store, whose runs are hosts.
bool has_runs(const InputReport& report);
// The runs of an input, without their counts: one, or its own. Throws InputError.
std::vector<analysis::Run> runs_of(const InputReport& report);

}  // namespace perfsift::tools
