// How old recordings must be to be removed or rolled up, and the time of a roll-up's rows.
#pragma once

#include <string>

#include "options/command_line.h"
#include "store/roll_up.h"
#include "store/selection.h"

namespace perfsift::tools {

struct AgeOptions {
  std::string older_than;
  std::string to = "10m";

  void add_to(options::po::options_description& options);
  // Chooses recordings that are old enough, if an age is given. Throws UsageError.
  void choose_old(store::Selection& selection) const;
  // Throws UsageError.
  store::RollUpOptions roll_up() const;
};

}  // namespace perfsift::tools
