// The common part of the commands about memory accesses: options, the reading, the messages and the exit status.
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
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/memory_collector.h"
#include "filter/filter.h"
#include "options/command_line.h"
#include "output/files/output_file.h"
#include "output/memory/memory_notes.h"
#include "output/text_writer.h"
#include "tools/memory/stored_memory.h"
#include "tools/recording/recording_run.h"

namespace perfsift::tools {

struct MemoryReading {
  RecordingOptions recordings;
  std::string output = output::OutputFile::standard_output;
  bool json = false;
  bool csv = false;
  std::optional<std::size_t> limit;
  bool fail_empty = false;
  filter::Filter filter;  // what all options say

  void add_to(options::po::options_description& options);
  // Call it after the options have been parsed. Throws UsageError, and InputError for files that cannot be read.
  void prepare();
  // The rows to show, where --limit is not given.
  std::size_t rows(std::size_t usual) const { return limit.value_or(usual); }
};

// One run. Not thread-safe.
class MemoryRun {
 public:
  // Opens the recordings. `reading` must live longer. `other`: a further file that the run writes; empty: none.
  explicit MemoryRun(const MemoryReading& reading, const std::string& other = "");

  symbolize::Symbolizer& symbolizer() { return run_.symbolizer(); }
  analysis::Profile& profile() { return profile_; }

  // Whether a recording can have memory accesses; if not, conclude() says so.
  bool any_usable() const;
  // Adds up the accesses. False if there is nothing to write: conclude() then says why.
  bool collect(analysis::MemoryOptions options);
  // The result of collect().
  const analysis::MemoryReport& report() const { return report_; }
  const analysis::CacheLines& cache_lines() const { return totals_->lines; }
  output::NotedRecording noted() const;

  // Visits the recordings, not the stores, in another way: calls visit(recording) for each that can have memory
  // accesses, which gives the number of accesses that were kept.
  void for_each_recording(const std::function<std::uint64_t(reader::Recording&)>& visit);

  // Writes to the output that the command line names.
  void write(const std::function<void(output::TextWriter&)>& write);
  // Writes to another output.
  void write_file(const std::string& output, const std::function<void(output::OutputFile&)>& write) {
    run_.write(output, write);
  }

  int conclude();

 private:
  struct Input {
    std::string path;
    std::unique_ptr<reader::Recording> recording;  // nullptr: it cannot be read, or is a store
    std::optional<analysis::MemoryCollector> collector;
    std::optional<StoredMemory> store;
    std::string unusable;  // why; empty: it can have memory accesses
    std::uint64_t kept = 0;
  };

  void open(Input& input);
  // The sums of an input, which can have memory accesses.
  analysis::MemoryTotals collect(Input& input, const analysis::MemoryOptions& options);

  const MemoryReading& reading_;
  RecordingRun run_;
  std::deque<Input> inputs_;
  analysis::Profile profile_;
  std::optional<analysis::MemoryTotals> totals_;
  analysis::MemoryReport report_;
};

}  // namespace perfsift::tools
