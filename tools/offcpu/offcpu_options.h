// The options of perfsift offcpu.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <boost/program_options.hpp>

#include "analysis/offcpu/idle_waits.h"
#include "filter/filter.h"
#include "options/interval_filter_options.h"
#include "options/offcpu_output_options.h"
#include "output/files/output_file.h"
#include "output/offcpu/metrics.h"
#include "tools/command.h"
#include "tools/profile/quality_tables.h"
#include "tools/record/wait_options.h"
#include "tools/recording/recording_run.h"

namespace perfsift::tools {

// The options of the command line.
struct OffcpuOptions : options::OutputOptions {
  RecordingOptions recordings;
  offcpu::IntervalFilter filter;
  filter::Filter expression;  // of intervals
  std::string csv;            // empty: none
  bool timehist = false;
  bool wall_clock = false;
  bool show_idle_list = false;
  bool live = false;
  std::string prometheus;  // empty: nowhere
  output::MetricsOptions metrics;
  bool fail_empty = false;  // a filter that keeps nothing is a check that failed
  tools::QualityTables quality_tables;
  bool inlines = true;
  std::optional<std::uint64_t> spikes_over;
  std::string cut_to;                // recordings of what is around spikes; empty: none
  std::uint64_t around = 5'000'000;  // nanoseconds
  std::string idle_list = offcpu::IdleWaits::built_in;
  WaitOptions waits;                                // --in-kernel
  std::string call_graph;                           // its stacks; empty: by frame pointers
  std::optional<std::chrono::nanoseconds> longest;  // of measuring in the kernel

  void add_to(boost::program_options::options_description& description);
  // Call it after the options have been parsed. Throws UsageError, and InputError for files that cannot be read.
  void prepare();
  // Throws UsageError where what is read would be written over, or two outputs would get the same place.
  void check_files(const RecordingRun& run) const;
  bool filters_intervals() const { return ignore_idle || filter.of_intervals() || !expression.keeps_all(); }
  bool filters() const { return filters_intervals() || filter.of_threads(); }
  // Whether something else than the report goes to standard output.
  bool prints_data() const {
    return json || timehist || output == output::OutputFile::standard_output ||
           csv == output::OutputFile::standard_output;
  }

 private:
  void add_own(boost::program_options::options_description& description);
  void check_in_kernel();
  void check_spikes();
  void check_metrics();

  options::IntervalFilterOptions filters_;
  tools::ExpressionOptions expressions_;
  std::string spikes_text_;
  std::string around_text_;
  std::string idle_file_, longest_text_;
  bool all_ = false;
  std::optional<double> factor_;
  std::optional<std::size_t> series_;
  bool no_inline_ = false;
};

}  // namespace perfsift::tools
