// The options of perfsift record that answer at once, without a file in between.
#pragma once

#include <string>
#include <vector>

#include "options/command_line.h"
#include "tools/record/answer.h"
#include "tools/record/flight_options.h"
#include "tools/record/output_options.h"

namespace perfsift::tools {

class AnswerOptions {
 public:
  void add_to(options::po::options_description& options);
  // Throws UsageError if options of the output contradict an answer, or if there are several answers.
  void check(const RecordOutputOptions& output, const FlightOptions& flight) const;
  bool on() const { return chosen() != nullptr; }
  bool needs_switches() const;
  // Reads the options of the command that answers. An answer without `run`: its help was asked for, and is printed.
  // Throws UsageError.
  AnswerRequest request() const;

 private:
  struct Choice {
    std::string option;  // --fold
    std::string words;   // empty: not chosen
  };
  const Choice* chosen() const;

  std::vector<Choice> choices_;
};

}  // namespace perfsift::tools
