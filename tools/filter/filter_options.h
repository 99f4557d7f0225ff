// The options that say which samples count, the same for every command that reads samples.
//
// ```cpp
// FilterOptions filtering;
// filtering.add_to(options);
// if (!options::parse(arguments, usage, options)) return done;
// const filter::Filter filter = filtering.filter();
// ```
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "filter/filter.h"
#include "options/access_options.h"
#include "output/files/run_files.h"
#include "reader/recording.h"

namespace perfsift::tools {

// Only --filter and --filter-file.
struct ExpressionOptions {
  // `what`: "samples"; `example`: an expression about one.
  void add_to(boost::program_options::options_description& options, std::string_view what, std::string_view example);
  // Throws InputError for files that cannot be read.
  std::vector<filter::FilterText> texts() const;
  void note_files(output::RunFiles& files) const { files.reads(files_); }

 private:
  std::vector<std::string> expressions_;
  std::vector<std::string> files_;
};

// --filter and --filter-file, and the short forms that perf script has: --comms, --pid, --tid, --cpu, --time, --dsos,
// --symbols, --event; and those about memory accesses: --min-latency, --level, --node. A sample must pass all that are
// given. --pids and --tids are other names of --pid and --tid.
struct FilterOptions {
  // Whether --event is among the options, or the command has an --event of its own.
  enum class Events : std::uint8_t { filtered, elsewhere };

  // Whether --min-latency, --level and --node are options, or only part of expressions.
  enum class Accesses : std::uint8_t { filtered, by_expression };

  void add_to(boost::program_options::options_description& options, Events events = Events::filtered,
              Accesses accesses = Accesses::filtered);

  // All options as one filter. Throws UsageError, and InputError for files that cannot be read.
  filter::Filter filter() const;
  // The texts of filter().
  std::vector<filter::FilterText> texts() const;
  // Parts of the filter. filtered_by of dlfilters/abi.h has perf's name for the samples that each part drops.
  filter::Filter thread_filter() const;  // --comms, --pid, --tid
  filter::Filter binary_filter() const;  // --dsos
  filter::Filter symbol_filter() const;  // --symbols
  void note_files(output::RunFiles& files) const { expressions_.note_files(files); }
  // Throws UsageError for an event that the recording does not have: a mistake, not an empty result. A stream is not
  // checked: its events are not known yet.
  void check_events(const reader::Recording& recording) const;

 private:
  std::vector<filter::FilterText> thread_texts() const;
  std::vector<filter::FilterText> event_texts() const;

  ExpressionOptions expressions_;
  std::vector<std::string> pids_, tids_;
  std::string comms_, cpus_, times_, dsos_, symbols_;
  std::vector<std::string> events_;
  options::AccessOptions accesses_;
};

}  // namespace perfsift::tools
