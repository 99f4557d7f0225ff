// The options of outputs that perfsift offcpu and perfsift-offcpu.so share.
#pragma once

#include <string>

#include <boost/program_options.hpp>

#include "analysis/offcpu/folded_intervals.h"
#include "output/offcpu/report.h"

namespace perfsift::options {

struct OutputOptions {
  std::string output;  // of folded stacks; empty: none
  bool json = false;
  bool ignore_idle = false;
  offcpu::FoldedIntervalsOptions folded;
  output::ReportOptions report;

  void add_to(boost::program_options::options_description& options);
  // Call it after the options have been parsed. Throws UsageError.
  void prepare();

 private:
  std::string unit_ = "us";
  std::string split_;
  std::string sort_ = "involuntary";
  std::string delimiter_;
};

}  // namespace perfsift::options
