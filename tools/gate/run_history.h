// A folder of stored profiles, one for each build: the history that a new run is compared with.
//
// Other files in the folder are left alone. Several programs may add and remove files at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfsift::tools {

class RunHistory {
 public:
  // A folder that does not exist has no files. Throws InputError if the folder cannot be read.
  explicit RunHistory(std::string folder);

  // The paths of the last stored files, oldest first.
  std::vector<std::string> newest(std::size_t count) const;
  // Files in the folder that are no stored profiles, with the reasons.
  const std::vector<std::string>& notes() const { return notes_; }
  // Removes all but the newest files. Only files that perfsift check stored are removed.
  void prune(std::size_t keep) const;

 private:
  struct File {
    std::string path;
    std::optional<std::uint64_t> stored_at;
  };
  void examine(const std::string& path);

  std::string folder_;
  std::vector<File> files_;  // by time, those without a time first
  std::vector<std::string> notes_;
};

// Where to store: the path itself; for a folder, which is made if it ends in a slash, a new name in it.
// `time`: nanoseconds since 1970.
std::string place_to_store(const std::string& path, std::uint64_t time);

}  // namespace perfsift::tools
