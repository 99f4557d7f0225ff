// Threads that drain the rings of a session, each those of its group, into the files of a folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/owned.h"
#include "record/session.h"
#include "tools/record/keep_options.h"
#include "tools/record/recorded_folder.h"

namespace perfsift::tools {

// Not thread-safe: the object belongs to the thread of the session.
class DrainThreads {
 public:
  // Starts a thread for each group. `keepers`: one for each group, or none: everything is kept. From `wake_at` bytes
  // of the folder on, wait() of the session returns at once. All must live longer. Throws Error.
  DrainThreads(record::Session& session, RecordedFolder& folder,
               const std::vector<std::unique_ptr<record::SampleKeeper>>& keepers, std::optional<std::uint64_t> wake_at);
  // Ends the threads.
  ~DrainThreads();
  DrainThreads(const DrainThreads&) = delete;
  DrainThreads& operator=(const DrainThreads&) = delete;

  // Throws what a thread has thrown. wait() of the session returns when that happens.
  void check();
  // Ends each thread after a last pass over its rings. Throws as check().
  void finish();

 private:
  void drain(record::RingGroup& group, record::SampleKeeper* keeper);
  void run(record::RingGroup& group, record::SampleKeeper* keeper);
  void wake_at_limit();
  void end();

  RecordedFolder& folder_;
  const std::optional<std::uint64_t> wake_at_;
  FileDescriptor ending_;  // eventfds: for the threads,
  FileDescriptor asking_;  // and for the session
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;  // the first
  std::vector<std::jthread> threads_;
};

}  // namespace perfsift::tools
