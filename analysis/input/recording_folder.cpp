#include "analysis/input/recording_folder.h"

#include <algorithm>
#include <filesystem>

#include "analysis/input/input_kind.h"
#include "base/error.h"
#include "reader/input_file.h"

namespace perfsift::analysis {
namespace {

namespace fs = std::filesystem;

bool is_recording_folder(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path / "data", none);
}

bool is_recording(const fs::path& path) {
  constexpr std::size_t magic_size = 16;
  try {
    auto input = reader::open_input(path);
    return input_kind(reader::peek(input, magic_size)) == InputKind::recording;
  } catch (const InputError&) {
    return true;
  }
}

}  // namespace

bool is_folder_of_recordings(const std::string& path) {
  std::error_code none;
  return fs::is_directory(path, none) && !is_recording_folder(path);
}

FolderContent recordings_below(const std::string& folder) {
  FolderContent found;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error); !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    std::error_code none;
    if (at->is_directory(none)) {
      if (!is_recording_folder(at->path())) continue;
      at.disable_recursion_pending();
      found.recordings.push_back(at->path());
    } else {
      const bool usable = at->is_regular_file(none) && is_recording(at->path());
      (usable ? found.recordings : found.skipped).push_back(at->path());
    }
  }
  if (error) throw InputError(folder + ": cannot read the directory: " + error.message());
  if (found.recordings.empty()) throw InputError(folder + ": there are no recordings in this directory");
  std::ranges::sort(found.recordings);
  std::ranges::sort(found.skipped);
  return found;
}

std::vector<std::string> with_folders_opened(const std::vector<std::string>& paths, std::vector<std::string>& skipped) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    if (!is_folder_of_recordings(path)) {
      all.push_back(path);
      continue;
    }
    FolderContent content = recordings_below(path);
    std::ranges::move(content.recordings, std::back_inserter(all));
    std::ranges::move(content.skipped, std::back_inserter(skipped));
  }
  return all;
}

}  // namespace perfsift::analysis
