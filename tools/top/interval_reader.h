// From the recording of an interval to tables.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "analysis/profile/profile.h"
#include "analysis/report/report.h"
#include "analysis/table/sample_table.h"
#include "reader/input_file.h"
#include "symbolize/symbolizer.h"
#include "tools/input_profile.h"
#include "tools/terminal.h"
#include "tools/top/top_options.h"

namespace perfsift::tools {

// Texts of the report live as long as this.
struct IntervalTables {
  std::unique_ptr<analysis::Profile> profile;
  std::unique_ptr<analysis::Report> report;
  InputReport input;
};

// Not thread-safe.
class IntervalReader {
 public:
  // The options must live longer. Throws InputError for files of the options that are not there.
  explicit IntervalReader(const TopOptions& options);

  // Throws InputError if the recording cannot be used, and UsageError if the filter does not fit the events.
  IntervalTables read(reader::InputFile recording);

 private:
  using Clock = std::chrono::steady_clock;

  symbolize::Symbolizer& symbolizer();

  const TopOptions& options_;
  const symbolize::SymbolizeOptions naming_;
  std::unique_ptr<symbolize::Symbolizer> symbolizer_;
  Clock::time_point symbols_since_;
  std::chrono::seconds life_{};  // of the Symbolizer
  Progress no_progress_;
};

}  // namespace perfsift::tools
