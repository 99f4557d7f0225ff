// The options of perfsift record that say whom to record.
#pragma once

#include <string>
#include <vector>

#include "options/command_line.h"
#include "record/session.h"

namespace perfsift::tools {

class TargetOptions {
 public:
  void add_to(options::po::options_description& options);
  // Without any other target, all CPUs are recorded.
  void record_all_by_default() { all_by_default_ = true; }
  // `command`: the words of a command, which is recorded while it runs. Throws UsageError if there is nobody to record,
  // or if options exclude each other.
  void apply(const std::vector<std::string>& command, record::SessionPlan& plan) const;

 private:
  bool all_ = false, all_by_default_ = false;
  bool no_inherit_ = false;
  std::string processes_, threads_, user_, cpus_, cgroups_;
};

}  // namespace perfsift::tools
