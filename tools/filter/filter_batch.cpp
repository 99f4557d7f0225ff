#include "tools/filter/filter_batch.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "base/share_work.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;

// Each thread takes one recording after the other.
std::vector<FilterResult> filter_many(const std::vector<FilterJob>& jobs, const FilterTask& task, unsigned threads,
                                      Progress& progress) {
  std::vector<FilterResult> results(jobs.size());
  share_work(threads, jobs.size(), [&](unsigned, Tasks& recordings) {
    Progress none(-1, {});
    while (const auto i = recordings.next()) {
      progress.show([&] { return fmt::format("filtering {} of {}: {}", *i + 1, jobs.size(), jobs[*i].input); });
      results[*i] = filter_recording(jobs[*i].input, jobs[*i].output, task, 1, none);
    }
  });
  return results;
}

// Makes the folders of a batch. The folder of a single output must exist, as for any command.
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
  if (jobs.size() > 1 && jobs.size() >= std::size_t{2} * threads) return filter_many(jobs, task, threads, progress);
  std::vector<FilterResult> results;
  for (const FilterJob& job : jobs) {
    results.push_back(filter_recording(job.input, job.output, task, threads, progress));
  }
  return results;
}

}  // namespace perfsift::tools
