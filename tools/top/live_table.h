// perfsift top: a table of the last interval, again and again.
//
//   rings ──▶ IntervalRecords ──▶ a recording in memory ──▶ IntervalReader ──▶ tables ──▶ Screen, text or JSON
//             (drained all the time)      (once per interval)                    └──▶ RowSums, if wanted
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/owned.h"
#include "output/files/output_file.h"
#include "reader/writer/header_content.h"
#include "record/session.h"
#include "tools/record/keep_options.h"
#include "tools/record/record_signals.h"
#include "tools/top/interval_reader.h"
#include "tools/top/interval_records.h"
#include "tools/top/interval_text.h"
#include "tools/top/row_sums.h"
#include "tools/top/screen.h"
#include "tools/top/top_options.h"

namespace perfsift::tools {

// Not thread-safe.
class LiveTable {
 public:
  // Opens everything. `kept`: of --keep; nullptr: all samples. `notes`: sentences for the user. References must live
  // longer. Throws what Session throws.
  LiveTable(const TopOptions& options, const record::SessionPlan& plan, const KeptSamples* kept,
            std::vector<std::string> notes);

  // Until the user or the target ends it, or all tables were shown. Throws OutputClosed if the reader of standard
  // output has gone.
  void run();

 private:
  using Clock = std::chrono::steady_clock;
  // What has been counted up to some moment.
  struct Counts {
    Clock::time_point time;
    std::uint64_t lost = 0;
    double cpu = 0;  // seconds
  };

  void start();
  void renew_names();
  Counts counts() const;
  void take_signals();
  void take_keys();
  void obey(char key);
  void pause_or_go_on();
  void end_interval();
  void read_interval(const IntervalSamples& samples, const Counts& now);
  void add_to_sum();
  void show();
  void write(const std::string& text);
  std::vector<std::string> notes() const;

  const TopOptions& options_;
  const record::SessionPlan plan_;
  record::Session session_;
  RecordSignals signals_;
  FileDescriptor timer_;
  std::unique_ptr<record::SampleKeeper> keeper_;
  IntervalRecords records_;
  KeptSink sink_;
  const reader::HeaderContent header_;
  IntervalReader reader_;
  const std::vector<std::string> start_notes_;
  std::optional<Screen> screen_;
  output::OutputFile output_;

  Counts interval_begin_;
  IntervalTables tables_;
  IntervalSummary summary_, sum_;
  RowSums rows_;
  std::uint64_t shown_ = 0;
  bool sums_ = false, paused_ = false, ended_ = false;
};

}  // namespace perfsift::tools
