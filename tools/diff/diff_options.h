// The command line of perfsift diff.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/comparison/comparison.h"
#include "options/folded_stack_options.h"
#include "output/files/output_file.h"
#include "output/flame/flame.h"
#include "output/terminal_style.h"
#include "tools/picture/picture_options.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {

struct DiffOptions {
  // The groups of ProfileCommand.
  static constexpr std::size_t before = 0, after = 1;

  ProfileCommand inputs;
  analysis::StackOptions stacks;
  analysis::ReportShape shape;
  analysis::ChangeOf what = analysis::ChangeOf::shares;
  std::string output = output::OutputFile::standard_output;
  bool json = false;
  bool csv = false;
  bool folded = false;
  bool negated = false;  // the picture

  void add_to(options::po::options_description& description);
  // Call it after the options have been parsed. Throws UsageError.
  void prepare();
  // The format of the picture that the name of the output asks for; nothing: no picture.
  std::optional<output::PictureFormat> picture() const;
  // The look of the picture by the options, in that format.
  output::FlameOptions look(output::PictureFormat format) const;
  // How many rows of a table are shown; 0: all.
  std::size_t rows(const output::TerminalStyle& style) const;

 private:
  void take_format_of_name();
  void set_shape();
  void check_look();
  std::vector<std::vector<std::string>> sides() const;

  options::FoldedStackOptions frames_{options::FoldedStackOptions::NamedBy::perfsift};
  PictureOptions look_;
  std::vector<std::string> before_, after_;
  std::string sort_;  // empty: the default
  std::string order_ = "self";
  std::optional<std::size_t> limit_;
  bool absolute_ = false;
  bool exact_names_ = false;
  bool reversed_ = false;  // the picture
};

}  // namespace perfsift::tools
