#include "tools/gate/run_history.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "analysis/gate/stored_file.h"
#include "base/error.h"
#include "reader/input_file.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* stored_suffix = ".pb.gz";

analysis::StoredFile examine_file(const std::string& path) {
  reader::InputFile input = reader::open_input(path);
  if (input.source != nullptr) {
    input.mapped = reader::read_all(*input.source);
    if (const std::string damage = input.source->damage(); !damage.empty()) throw InputError(damage);
  }
  return analysis::stored_file(input.mapped.bytes());
}

// "20261124T233015.000000001Z"
std::string time_text(std::uint64_t time) {
  constexpr std::uint64_t second = 1'000'000'000;
  const auto seconds = static_cast<std::time_t>(time / second);
  return fmt::format("{:%Y%m%dT%H%M%S}.{:09}Z", fmt::gmtime(seconds), time % second);
}

}  // namespace

RunHistory::RunHistory(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  if (!fs::exists(folder_, error)) return;
  std::vector<std::string> paths;
  for (auto at = fs::directory_iterator(folder_, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    std::error_code none;
    const std::string name = at->path().filename();
    // Unfinished files of other programs, and those that the user hides.
    if (!at->is_directory(none) && !name.starts_with('.')) paths.push_back(at->path());
  }
  if (error) throw InputError(folder_ + ": cannot read the directory: " + error.message());
  std::ranges::sort(paths);
  for (const std::string& path : paths) examine(path);
  std::ranges::stable_sort(files_, {}, &File::stored_at);
}

void RunHistory::examine(const std::string& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) {
    // Another program may have removed it meanwhile.
    if (fs::exists(path, none)) notes_.push_back("history: " + path + ": left out: is no file");
    return;
  }
  try {
    files_.push_back({.path = path, .stored_at = examine_file(path).stored_at});
  } catch (const InputError& problem) {
    if (!fs::exists(path, none)) return;
    const std::string reason = problem.what();
    const std::string prefix = path + ": ";
    notes_.push_back("history: " + path +
                     ": left out: " + (reason.starts_with(prefix) ? reason.substr(prefix.size()) : reason));
  }
}

std::vector<std::string> RunHistory::newest(std::size_t count) const {
  std::vector<std::string> paths;
  for (std::size_t i = files_.size() - std::min(count, files_.size()); i < files_.size(); ++i)
    paths.push_back(files_[i].path);
  return paths;
}

void RunHistory::prune(std::size_t keep) const {
  for (std::size_t i = 0; i + keep < files_.size(); ++i) {
    std::error_code error;
    if (files_[i].stored_at) fs::remove(files_[i].path, error);
    if (error) throw Error(fmt::format("{}: cannot be removed: {}", files_[i].path, error.message()));
  }
}

std::string place_to_store(const std::string& path, std::uint64_t time) {
  std::error_code error;
  if (path.ends_with('/')) fs::create_directories(path, error);
  if (error) throw Error(fmt::format("{}: cannot be made: {}", path, error.message()));
  if (!fs::is_directory(path, error)) return path;
  std::random_device random;  // two programs at the same time
  return (fs::path(path) / fmt::format("run-{}-{:08x}{}", time_text(time), random(), stored_suffix)).string();
}

}  // namespace perfsift::tools
