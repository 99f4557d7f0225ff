// Folders as inputs. One with a file `data` in it, as `perf record --threads` writes it, is one recording; any other
// stands for the recordings below it.
#pragma once

#include <string>
#include <vector>

namespace perfsift::analysis {

// Whether `path` is a folder that is no recording itself.
bool is_folder_of_recordings(const std::string& path);

// All sorted, so that the order is the same everywhere.
struct FolderContent {
  std::vector<std::string> recordings;  // files, in a container or not, and folders of `perf record --threads`
  std::vector<std::string> skipped;     // files that are no recordings
};

// What lies below `folder`. A file that cannot be read counts as a recording, so that an error tells of the file.
// Throws InputError for a folder that cannot be read, or that holds no recording.
FolderContent recordings_below(const std::string& folder);

// `paths` with the recordings in the place of their folders. The names of skipped files are added to `skipped`.
std::vector<std::string> with_folders_opened(const std::vector<std::string>& paths, std::vector<std::string>& skipped);

}  // namespace perfsift::analysis
