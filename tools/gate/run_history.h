// A folder of stored profiles, one for each build: the history that a new run is compared with.
//
// Other files in the folder are left alone. Several programs may add and remove files at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reader/input_file.h"
#include "tools/profile/apart_reader.h"

namespace perfsift::tools {

// Not thread-safe.
class RunHistory {
 public:
  // A folder that does not exist has no files. The newest `count` files are those that count. Throws InputError if the
  // folder cannot be read.
  RunHistory(std::string folder, std::size_t count, unsigned threads);

  // The paths of the last stored files, oldest first.
  std::vector<std::string> newest() const;
  // Such of the last stored files as are unpacked already.
  OpenInputs take_open();
  // Files in the folder that are no stored profiles, with the reasons.
  const std::vector<std::string>& notes() const { return notes_; }
  // A file that perfsift check stored since; files outside the folder are ignored.
  void add(const std::string& path, std::uint64_t stored_at);
  // Removes all but the newest files. Only files that perfsift check stored are removed.
  void prune() const;

 private:
  // By time, those without a time first; then by path.
  using Place = std::pair<std::optional<std::uint64_t>, std::string>;
  struct File {
    std::string path;
    std::optional<std::uint64_t> stored_at;
    Place place() const { return {stored_at, path}; }
  };
  // Neither a file nor a note: another program removed the file.
  struct Examined {
    std::optional<File> file;
    std::string note;
  };

  std::vector<std::string> paths_in_folder() const;
  Examined examine(const std::string& path);
  void keep(const File& file, reader::InputFile input);

  const std::string folder_;
  const std::size_t count_;
  std::vector<File> files_;  // sorted by their places
  std::vector<std::string> notes_;
  std::mutex mutex_;  // of what is kept
  std::map<Place, reader::InputFile> kept_;
  std::size_t kept_bytes_ = 0;
};

// Where to store: the path itself; for a folder, which is made if it ends in a slash, a new name in it.
// `time`: nanoseconds since 1970.
std::string place_to_store(const std::string& path, std::uint64_t time);

}  // namespace perfsift::tools
