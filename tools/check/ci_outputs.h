// The files that perfsift check writes for CI systems, and their options.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/comparison/joined_profile.h"
#include "analysis/gate/verdict.h"
#include "options/command_line.h"
#include "output/files/run_files.h"
#include "output/gate/annotations.h"

namespace perfsift::tools {

class CiOutputs {
 public:
  void add_to(options::po::options_description& description);
  // Call it after the options have been parsed. `output`: where the report goes. Throws UsageError.
  void prepare(const std::string& output, bool json);
  void note_files(output::RunFiles& files) const;
  bool draws() const { return !svg_.empty(); }

  // Writes all outputs except the picture.
  void write(const analysis::Verdict& verdict, const std::vector<std::string>& notes) const;
  void draw(const analysis::JoinedProfile& joined, const std::vector<std::string>& notes, unsigned threads) const;

 private:
  std::string markdown_, junit_, sarif_, svg_;
  std::string annotations_option_;
  std::optional<output::Annotations> annotations_;
  std::string annotations_file_;
};

}  // namespace perfsift::tools
