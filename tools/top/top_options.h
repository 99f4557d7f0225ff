// The options of perfsift top.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/report.h"
#include "analysis/samples/stack_options.h"
#include "filter/filter.h"
#include "options/folded_stack_options.h"
#include "record/session.h"
#include "tools/filter/filter_options.h"
#include "tools/reading_options.h"
#include "tools/record/event_options.h"
#include "tools/record/keep_options.h"
#include "tools/record/target_options.h"

namespace perfsift::tools {

class TopOptions {
 public:
  EventOptions events;
  NamingOptions naming;
  KeepOptions keep;
  filter::Filter filter;
  analysis::ReportShape shape;
  analysis::StackOptions stacks;
  std::optional<std::size_t> limit;  // rows of each table
  std::chrono::nanoseconds delay{2'000'000'000};
  std::uint64_t tables = 0;  // after which the run ends; 0: it has no end
  bool batch = false;        // tables one below the other, for no terminal
  bool json = false;
  bool quiet = false;

  void add_to(options::po::options_description& options);
  // Reads what add_to() only stores as text. Throws UsageError.
  void complete();
  // `notes` gets sentences for the user.
  record::SessionPlan plan(std::vector<std::string>& notes) const;

 private:
  bool has_key(analysis::Key key) const;

  ContentOptions content_;
  TargetOptions target_;
  ExpressionOptions expressions_;
  options::FoldedStackOptions frames_{options::FoldedStackOptions::NamedBy::perfsift};
  std::string sort_, order_, delay_;
  bool inlines_ = false;  // a table that refreshes must not take the CPU time that debug information takes
};

}  // namespace perfsift::tools
