#include "tools/rewriting/filter_batch.h"

#include <atomic>
#include <exception>
#include <filesystem>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;

class Batch {
 public:
  Batch(const std::vector<FilterJob>& jobs, const FilterTask& task, Progress& progress)
      : jobs_(jobs), task_(task), progress_(progress), results_(jobs.size()) {}

  std::vector<FilterResult> run(unsigned threads) {
    {
      std::vector<std::jthread> others;
      for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
      work();
    }
    if (failed_) std::rethrow_exception(failed_);
    return std::move(results_);
  }

 private:
  void work() {
    try {
      Progress none(-1, {});
      for (std::size_t i = next_++; i < jobs_.size(); i = next_++) {
        progress_.show([&] { return fmt::format("filtering {} of {}: {}", i + 1, jobs_.size(), jobs_[i].input); });
        results_[i] = filter_recording(jobs_[i].input, jobs_[i].output, task_, 1, none);
      }
    } catch (...) {  // not a recording that cannot be used: the command cannot go on
      const std::lock_guard lock(mutex_);
      failed_ = std::current_exception();
    }
  }

  const std::vector<FilterJob>& jobs_;
  const FilterTask& task_;
  Progress& progress_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<FilterResult> results_;
  std::mutex mutex_;
  std::exception_ptr failed_;
};

// The folders of a batch; of a single output they must be there, as for any command.
void make_folders(const std::vector<FilterJob>& jobs) {
  for (const FilterJob& job : jobs) {
    const fs::path folder = fs::path(job.output).parent_path();
    std::error_code error;
    if (!folder.empty()) fs::create_directories(folder, error);
    if (error) throw Error(folder.string() + ": cannot make the directory: " + error.message());
  }
}

}  // namespace

std::vector<FilterResult> filter_all(const std::vector<FilterJob>& jobs, const FilterTask& task, unsigned threads,
                                     bool quiet) {
  if (jobs.size() > 1 && !task.dry_run) make_folders(jobs);
  Progress progress(quiet);
  if (jobs.size() > 1 && jobs.size() >= std::size_t{2} * threads) return Batch(jobs, task, progress).run(threads);
  std::vector<FilterResult> results;
  for (const FilterJob& job : jobs) {
    results.push_back(filter_recording(job.input, job.output, task, threads, progress));
  }
  return results;
}

}  // namespace perfsift::tools
