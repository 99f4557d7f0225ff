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
#include "base/share_work.h"
#include "tools/pprof_input.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* stored_suffix = ".pb.gz";

// Files that are read again soon are kept unpacked, as far as this takes no more memory.
constexpr std::size_t most_kept_bytes = std::size_t{512} << 20;

// "20261124T233015.000000001Z"
std::string time_text(std::uint64_t time) {
  constexpr std::uint64_t second = 1'000'000'000;
  const auto seconds = static_cast<std::time_t>(time / second);
  return fmt::format("{:%Y%m%dT%H%M%S}.{:09}Z", fmt::gmtime(seconds), time % second);
}

}  // namespace

RunHistory::RunHistory(std::string folder, std::size_t count, unsigned threads)
    : folder_(std::move(folder)), count_(count) {
  const std::vector<std::string> paths = paths_in_folder();
  std::vector<Examined> examined(paths.size());
  for_each_task(threads, paths.size(), [&](std::size_t i) { examined[i] = examine(paths[i]); });
  for (Examined& each : examined) {
    if (each.file) files_.push_back(std::move(*each.file));
    if (!each.note.empty()) notes_.push_back(std::move(each.note));
  }
  std::ranges::sort(files_, {}, &File::place);
}

std::vector<std::string> RunHistory::paths_in_folder() const {
  std::error_code error;
  std::vector<std::string> paths;
  if (!fs::exists(folder_, error)) return paths;
  for (auto at = fs::directory_iterator(folder_, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    std::error_code none;
    const std::string name = at->path().filename();
    // Unfinished files of other programs, and those that the user hides.
    if (!at->is_directory(none) && !name.starts_with('.')) paths.push_back(at->path());
  }
  if (error) throw InputError(folder_ + ": cannot read the directory: " + error.message());
  std::ranges::sort(paths);
  return paths;
}

RunHistory::Examined RunHistory::examine(const std::string& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) {
    // Another program may have removed it meanwhile.
    if (fs::exists(path, none)) return {.note = "history: " + path + ": left out: is no file"};
    return {};
  }
  try {
    reader::InputFile input = reader::open_input(path);
    unpack_pprof(input);
    const File file{.path = path, .stored_at = analysis::stored_file(input.mapped.bytes()).stored_at};
    keep(file, std::move(input));
    return {.file = file};
  } catch (const InputError& problem) {
    if (!fs::exists(path, none)) return {};
    const std::string reason = problem.what();
    const std::string prefix = path + ": ";
    return {.note = "history: " + path +
                    ": left out: " + (reason.starts_with(prefix) ? reason.substr(prefix.size()) : reason)};
  }
}

// Which of the files are the newest is known at the end only.
void RunHistory::keep(const File& file, reader::InputFile input) {
  const std::lock_guard lock(mutex_);
  kept_bytes_ += input.mapped.bytes().size();
  kept_.emplace(file.place(), std::move(input));
  while (kept_.size() > count_ || kept_bytes_ > most_kept_bytes) {
    kept_bytes_ -= kept_.begin()->second.mapped.bytes().size();
    kept_.erase(kept_.begin());
  }
}

OpenInputs RunHistory::take_open() {
  OpenInputs open;
  for (auto& [place, input] : kept_) open.emplace(place.second, std::move(input));
  kept_.clear();
  return open;
}

std::vector<std::string> RunHistory::newest() const {
  std::vector<std::string> paths;
  for (std::size_t i = files_.size() - std::min(count_, files_.size()); i < files_.size(); ++i)
    paths.push_back(files_[i].path);
  return paths;
}

void RunHistory::add(const std::string& path, std::uint64_t stored_at) {
  std::error_code none;
  if (!fs::equivalent(fs::absolute(path, none).parent_path(), folder_, none)) return;
  std::erase_if(files_, [&](const File& file) { return fs::equivalent(file.path, path, none); });
  files_.push_back({.path = path, .stored_at = stored_at});
  std::ranges::sort(files_, {}, &File::place);
}

void RunHistory::prune() const {
  for (std::size_t i = 0; i + count_ < files_.size(); ++i) {
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
