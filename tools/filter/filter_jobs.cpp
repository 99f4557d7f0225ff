#include "tools/filter/filter_jobs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "analysis/input/recording_folder.h"
#include "base/error.h"
#include "base/path.h"
#include "base/printable.h"
#include "output/files/output_file.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;

bool is_directory(const std::string& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

// The name without the suffix of a container: outputs are in no container.
fs::path without_container(fs::path path) {
  constexpr std::array containers = {".gz", ".xz", ".zst"};
  if (std::ranges::find(containers, path.extension().string()) != containers.end()) path.replace_extension();
  return path;
}

// "perf.data" for standard input, and for paths that end in nothing.
fs::path name_of(const std::string& input) {
  const fs::path normal = fs::path(input).lexically_normal();
  const fs::path name = normal.has_filename() ? normal.filename() : normal.parent_path().filename();
  return input == "-" || name.empty() || name == "." || name == ".." ? fs::path("perf.data") : without_container(name);
}

void refuse_equal_outputs(const std::vector<FilterJob>& jobs) {
  std::map<std::string, const FilterJob*> by_output;
  for (const FilterJob& job : jobs) {
    const auto [other, added] = by_output.try_emplace(fs::path(job.output).lexically_normal(), &job);
    if (!added) {
      throw UsageError(fmt::format("{} and {} would both be written to {}", printable(other->second->input),
                                   printable(job.input), printable(job.output)));
    }
  }
}

}  // namespace

FilterPlan plan_jobs(const std::vector<std::string>& inputs, const std::string& output) {
  const fs::path directory(output);
  const bool batch = inputs.size() > 1 || std::ranges::any_of(inputs, analysis::is_folder_of_recordings);
  if (batch && output == output::OutputFile::standard_output) {
    throw UsageError("--output -: several recordings cannot be one; name a directory");
  }
  if (batch && fs::exists(directory) && !is_directory(output)) {
    throw UsageError(printable(output) + ": not a directory, which several recordings need");
  }
  if (!batch) {
    const std::string& input = inputs.front();
    const FilterJob job{.input = input,
                        .output = is_directory(output) ? (directory / name_of(input)).string() : output};
    return {.jobs = {job}, .skipped = {}};
  }

  FilterPlan plan;
  for (const std::string& input : inputs) {
    if (!analysis::is_folder_of_recordings(input)) {
      plan.jobs.push_back({input, directory / name_of(input)});
      continue;
    }
    analysis::FolderContent content = analysis::recordings_below(input);
    for (const fs::path path : content.recordings) {
      plan.jobs.push_back({path, directory / without_container(path.lexically_relative(input))});
    }
    std::ranges::move(content.skipped, std::back_inserter(plan.skipped));
  }
  refuse_equal_outputs(plan.jobs);
  return plan;
}

}  // namespace perfsift::tools
