// What the commands about memory accesses have in common: their options, the reading, the messages and the exit status.
//
// ```cpp
// MemoryReading reading;
// reading.add_to(options);
// if (!options::parse(arguments, usage, options, ReadingOptions::positional)) return done;
// reading.prepare();
// MemoryRun run(reading);
// if (run.collect(analysis::MemoryOptions())) run.write([&](output::TextWriter& out) { out.text("…"); });
// return run.conclude();
// ```
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/memory_collector.h"
#include "filter/filter.h"
#include "options/command_line.h"
#include "output/files/output_file.h"
#include "output/text_writer.h"
#include "tools/debuginfod_options.h"
#include "tools/diagnostics.h"
#include "tools/filter/filter_options.h"
#include "tools/reading_options.h"

namespace perfsift::tools {

struct MemoryReading {
  ReadingOptions reading;
  NamingOptions naming;
  DebuginfodOptions debuginfod;
  JobsOption jobs;
  FilterOptions filtering;
  std::string output = output::OutputFile::standard_output;
  bool json = false;
  bool csv = false;
  std::optional<std::size_t> limit;
  bool fail_empty = false;
  filter::Filter filter;  // what all options say
  std::string path;
  std::optional<std::uint32_t> node;

  void add_to(options::po::options_description& options);
  // Call it after the options have been parsed. Throws UsageError, and InputError for files that cannot be read.
  void prepare();
  // `other`: a further file that the run writes; empty: none.
  void check_files(const std::string& other) const;
  // The rows to show, where --limit does not tell.
  std::size_t rows(std::size_t usual) const { return limit.value_or(usual); }

 private:
  std::optional<std::uint64_t> least_latency_;
  std::vector<std::string> levels_;
};

// One run. Not thread-safe.
class MemoryRun {
 public:
  // Opens the recording. `reading` must live longer.
  explicit MemoryRun(const MemoryReading& reading);

  const reader::Recording& recording() const { return *recording_; }
  reader::Recording& recording() { return *recording_; }
  symbolize::Symbolizer& symbolizer() { return symbolizer_; }
  analysis::Profile& profile() { return profile_; }

  // Adds up the accesses. False if there is nothing to write: conclude() then says why.
  bool collect(const analysis::MemoryOptions& options);
  const analysis::MemoryCollector& collected() const { return *collector_; }
  // Whether the recording can have memory accesses; if not, conclude() says so.
  bool has_memory_events();
  // For accesses that are visited in another way.
  void count(std::uint64_t kept) { kept_ = kept; }

  // Writes to the output that the command line names.
  void write(const std::function<void(output::TextWriter&)>& write);
  // The same for another output.
  void write_file(const std::string& output, const std::function<void(output::OutputFile&)>& write);
  void end_progress() { progress_.end(); }

  int conclude();

 private:
  const MemoryReading& reading_;
  Progress progress_;
  const std::unique_ptr<reader::Recording> recording_;
  symbolize::Symbolizer symbolizer_;
  analysis::Profile profile_;
  std::optional<analysis::MemoryCollector> collector_;
  std::optional<std::string> unusable_;
  std::uint64_t kept_ = 0;
};

}  // namespace perfsift::tools
