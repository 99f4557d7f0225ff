// Records: from a session of the kernel's rings into a file, until the target or the user ends it. With --threads,
// other threads drain the rings, and this one waits for ends and limits.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/session.h"
#include "record/waits/wait_recorder.h"
#include "tools/record/answer.h"
#include "tools/record/drain_threads.h"
#include "tools/record/keep_options.h"
#include "tools/record/output_options.h"
#include "tools/record/recorded_file.h"
#include "tools/record/recorded_totals.h"
#include "tools/record/recorder_requests.h"
#include "tools/record/service_manager.h"
#include "tools/terminal.h"

namespace perfsift::tools {

// For the first thread of a process: threads of --threads are started later, so that they take no signals.
class LiveRecorder {
 public:
  // Opens everything. Throws what Session and RecordedFile throw. `kept`: nullptr: all samples. `control`: the text of
  // --control; empty: none. `answer`: reads the recording instead of a file; nullptr: none. `waits`: measures waits in
  // the kernel; nullptr: none. References must live longer.
  LiveRecorder(const record::SessionPlan& plan, const RecordOutputOptions& options, const KeptSamples* kept,
               const std::string& control, std::vector<std::string> command_line, Answer* answer = nullptr,
               std::unique_ptr<record::WaitRecorder> waits = nullptr);

  const record::Session& session() const { return session_; }
  // Records to the end. Throws OutputClosed if the reader of the recording has gone.
  RecordedTotals run();
  // Sentences for the user: what is left out, and what was not understood.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<RecordedOutput> new_output();
  void wait_to_begin();
  void start();
  void open_file(Bytes opening);
  std::vector<std::byte> opening_records();
  void close_file();
  void give_up_rights();
  void add_waits();
  void say_which_cpus_went();
  void pass();
  void take_requests();
  void reload();
  void check_limits();
  void switch_file();
  void keep_last_files();
  void show_progress();

  const record::SessionPlan plan_;
  const RecordOutputOptions& options_;
  const std::vector<std::string> command_line_;
  Answer* const answer_;
  const std::unique_ptr<record::WaitRecorder> waits_;
  record::Session session_;
  RecorderRequests requests_;
  std::optional<ServiceManager> service_;                       // with a command, it is the command's
  std::vector<std::unique_ptr<record::SampleKeeper>> keepers_;  // see KeptSamples::keepers_for()
  std::unique_ptr<RecordedOutput> file_;
  std::unique_ptr<KeptSink> sink_;    // in front of the file
  RecordedFolder* folder_ = nullptr;  // the file, with --threads
  std::unique_ptr<DrainThreads> threads_;
  Progress progress_;
  RecordedTotals totals_;
  std::vector<std::string> warnings_;
  Clock::time_point begin_, file_begin_;
  unsigned parts_ = 0;
  bool switch_asked_ = false, is_reloading_ = false;
};

}  // namespace perfsift::tools
