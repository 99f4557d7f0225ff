// Records: from a session of the kernel's rings into a file, until the target or the user ends it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/session.h"
#include "tools/record/answer.h"
#include "tools/record/keep_options.h"
#include "tools/record/output_options.h"
#include "tools/record/recorded_file.h"
#include "tools/record/recorded_totals.h"
#include "tools/record/recorder_requests.h"
#include "tools/terminal.h"

namespace perfsift::tools {

// For the only thread of a process.
class LiveRecorder {
 public:
  // Opens everything. Throws what Session and RecordedFile throw. `kept`: nullptr: all samples. `control`: the text of
  // --control; empty: none. `answer`: reads the recording instead of a file; nullptr: none. References must live
  // longer.
  LiveRecorder(const record::SessionPlan& plan, const RecordOutputOptions& options, const KeptSamples* kept,
               const std::string& control, std::vector<std::string> command_line, Answer* answer = nullptr);

  const record::Session& session() const { return session_; }
  // Records to the end. Throws OutputClosed if the reader of the recording has gone.
  RecordedTotals run();
  // Sentences for the user: what is left out, and what was not understood.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<RecordedFile> new_file();
  void open_file();
  void close_file();
  void pass();
  void take_requests();
  void check_limits();
  void switch_file();
  void keep_last_files();
  void show_progress();

  const record::SessionPlan plan_;
  const RecordOutputOptions& options_;
  const std::vector<std::string> command_line_;
  Answer* const answer_;
  record::Session session_;
  RecorderRequests requests_;
  std::unique_ptr<record::SampleKeeper> keeper_;
  std::unique_ptr<RecordedFile> file_;
  std::unique_ptr<KeptSink> sink_;  // in front of the file
  Progress progress_;
  RecordedTotals totals_;
  std::vector<std::string> warnings_;
  Clock::time_point begin_, file_begin_;
  unsigned parts_ = 0;
  bool switch_asked_ = false;
};

}  // namespace perfsift::tools
