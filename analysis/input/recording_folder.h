// Folders as inputs. A folder with a file `data`, as written by `perf record --threads`, is one recording; any other
// folder stands for all recordings below it.
#pragma once

#include <string>
#include <vector>

namespace perfsift::analysis {

// Whether `path` is a folder that is not itself a recording.
bool is_folder_of_recordings(const std::string& path);

// Sorted, so that the order is the same on all machines.
struct FolderContent {
  std::vector<std::string> recordings;  // files, compressed or not, and folders of `perf record --threads`
  std::vector<std::string> skipped;     // files that are not recordings
};

// The files and recordings below `folder`. An unreadable file counts as a recording, so that the user gets an error
// about it. Throws InputError for a folder that cannot be read or has no recordings.
FolderContent recordings_below(const std::string& folder);

// `paths` with each folder replaced by the recordings below it. Adds the names of skipped files to `skipped`.
std::vector<std::string> with_folders_opened(const std::vector<std::string>& paths, std::vector<std::string>& skipped);

}  // namespace perfsift::analysis
