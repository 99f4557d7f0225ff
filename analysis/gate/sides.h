// The sides of a check, from inputs as they were read to a verdict: the events that both have, the runs of each, and
// each recording once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/gate/run.h"
#include "analysis/gate/stack_table.h"
#include "analysis/gate/verdict.h"
#include "analysis/profile/profile.h"
#include "analysis/table/sample_table.h"

namespace perfsift::analysis {

// An input, with a table of its own.
struct SideInput {
  std::vector<Run> runs;   // without their counts
  bool is_stored = false;  // a stored profile, or a store: each row tells its run
  const SampleTable& table;
};

// Which runs of a side are of the same build: see GateSide::builds.
enum class SideBuilds : std::uint8_t { not_told, one, one_of_each_input };

struct SideInputs {
  std::vector<SideInput> inputs;
  SideBuilds builds = SideBuilds::not_told;
};

struct SideRules {
  Rules rules;
  const std::set<std::string, std::less<>>& allowed;  // the keys of reasons that are tolerated
  unsigned threads = 1;
};

struct JudgedSides {
  Verdict verdict;                   // without an outcome: see conclude()
  std::vector<std::string> notes;    // on events that are not compared, and on duplicate runs
  std::optional<GateStacks> stacks;  // nothing: the sides have different events, and were not counted
  GateSide before, after;
};

// Compares the sides. Throws UsageError if they have several events in common.
JudgedSides judge_sides(const Profile& profile, SideInputs before, SideInputs after, const SideRules& how);

// One side alone, for a budget. Of several events, the runs have the counts of all. `one_event`: then throws
// UsageError.
JudgedSides look_at_side(const Profile& profile, SideInputs candidate, bool one_event, const SideRules& how);

}  // namespace perfsift::analysis
