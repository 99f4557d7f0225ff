#include "output/files/older_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"

namespace perfsift::output {
namespace {

using Folder = Owned<DIR, closedir>;

Error cannot(const char* what, const std::string& path) {
  return Error(fmt::format("{}: cannot {}: {}", path, what, std::strerror(errno)));
}

// rm_rf_perf_data() in tools/perf/util/util.c removes files with these names.
bool is_of_recording(std::string_view name) { return name == "data" || name.starts_with("data."); }

void remove_folder(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  const Folder folder(fd < 0 ? nullptr : fdopendir(fd));
  if (!folder) throw cannot("remove the older recording", path);
  std::vector<std::string> names;
  while (const dirent* const entry = readdir(folder.get())) {
    if (is_of_recording(entry->d_name)) names.emplace_back(entry->d_name);
  }
  for (const std::string& name : names) unlinkat(dirfd(folder.get()), name.c_str(), 0);
  if (rmdir(path.c_str()) != 0) throw cannot("remove the older recording", path);
}

}  // namespace

void refuse_what_stays(const std::string& path) {
  struct stat old {};
  if (lstat(path.c_str(), &old) != 0) return;
  if (S_ISLNK(old.st_mode)) throw Error(path + " is a link: name the file itself");
  if (S_ISREG(old.st_mode)) return;
  struct stat header {};
  const bool is_recording = S_ISDIR(old.st_mode) && lstat((path + "/data").c_str(), &header) == 0;
  if (!is_recording) throw Error(path + " is no regular file");
}

void keep_as_old(const std::string& path) {
  struct stat old {
  }, older{};
  if (lstat(path.c_str(), &old) != 0) return;
  const std::string kept = path + ".old";
  // A rename over a file makes ext4 write the renamed data to the disk first: see OutputFile::commit().
  if (lstat(kept.c_str(), &older) == 0) S_ISDIR(older.st_mode) ? remove_folder(kept) : void(unlink(kept.c_str()));
  if (std::rename(path.c_str(), kept.c_str()) != 0) throw cannot("rename", path);
}

}  // namespace perfsift::output
