// The labels that recordings get when they are added to a store.
#pragma once

#include <string>
#include <vector>

#include "options/command_line.h"
#include "output/files/run_files.h"
#include "store/label_rules.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

struct LabelOptions {
  std::vector<std::string> given;  // NAME=VALUE
  std::string rules;               // a file; empty: none

  void add_to(options::po::options_description& options);
  void note_files(output::RunFiles& files) const { files.reads(rules); }
};

// Thread-safe.
class Labelling {
 public:
  // Throws UsageError for labels without a name or a value, and InputError for rules that cannot be read.
  explicit Labelling(const LabelOptions& options);

  // Those of the command line, then those that rules find in the path.
  store::Labels labels_of_path(const std::string& path) const;
  // And those of the recording's control groups, its host, its kernel and its machine.
  void add_recorded(const InputReport& report, const analysis::SampleTable& table, store::Labels& labels) const;

 private:
  store::Labels given_;
  store::LabelRules rules_;
};

}  // namespace perfsift::tools
