#include "tools/rewriting/filter_jobs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/path.h"
#include "reader/input_file.h"
#include "tools/input/input_kind.h"
#include "tools/output/output_file.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;

bool is_directory(const std::string& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

bool is_recording_directory(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path / "data", none);
}

// A recording, plain or in a container. What cannot be read is taken for one, so that somebody is told.
bool is_recording(const fs::path& path) {
  constexpr std::size_t magic_size = 16;
  try {
    auto input = reader::open_input(path);
    return input_kind(reader::peek(input, magic_size)) == InputKind::recording;
  } catch (const InputError&) {
    return true;
  }
}

// Sorted, so that the order of a batch is the same everywhere.
std::vector<fs::path> recordings_below(const std::string& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(directory, error); !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    std::error_code none;
    if (at->is_directory(none)) {
      if (!is_recording_directory(at->path())) continue;
      at.disable_recursion_pending();
      found.push_back(at->path());
    } else if (at->is_regular_file(none) && is_recording(at->path())) {
      found.push_back(at->path());
    }
  }
  if (error) throw InputError(directory + ": cannot read the directory: " + error.message());
  std::ranges::sort(found);
  return found;
}

// What is written is in no container.
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
      throw UsageError(
          fmt::format("{} and {} would both be written to {}", other->second->input, job.input, job.output));
    }
  }
}

}  // namespace

std::vector<FilterJob> plan_jobs(const std::vector<std::string>& inputs, const std::string& output) {
  const fs::path directory(output);
  const auto is_batch_directory = [](const std::string& input) {
    return is_directory(input) && !is_recording_directory(input);
  };
  const bool batch = inputs.size() > 1 || std::ranges::any_of(inputs, is_batch_directory);
  if (batch && output == OutputFile::standard_output) {
    throw UsageError("--output -: several recordings cannot be one; name a directory");
  }
  if (batch && fs::exists(directory) && !is_directory(output)) {
    throw UsageError(output + ": not a directory, which several recordings need");
  }
  if (!batch) {
    const std::string& input = inputs.front();
    return {{.input = input, .output = is_directory(output) ? (directory / name_of(input)).string() : output}};
  }

  std::vector<FilterJob> jobs;
  for (const std::string& input : inputs) {
    if (!is_batch_directory(input)) {
      jobs.push_back({input, directory / name_of(input)});
      continue;
    }
    for (const fs::path& path : recordings_below(input)) {
      jobs.push_back({path, directory / without_container(path.lexically_relative(input))});
    }
  }
  refuse_equal_outputs(jobs);
  return jobs;
}

}  // namespace perfsift::tools
