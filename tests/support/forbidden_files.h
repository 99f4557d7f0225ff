// Files that a test may not read, also if it runs as root.
#pragma once

#include <filesystem>
#include <string>

#include <sys/fsuid.h>
#include <unistd.h>

namespace perfsift::test {

// Only root could read the file from now on. Others get as far as its folder.
inline void forbid(const std::string& path) {
  namespace fs = std::filesystem;
  fs::permissions(path, fs::perms::none);
  constexpr auto others =
      fs::perms::group_exec | fs::perms::others_exec | fs::perms::group_read | fs::perms::others_read;
  for (fs::path folder = fs::path(path).parent_path();
       folder != fs::temp_directory_path() && folder.has_relative_path(); folder = folder.parent_path())
    fs::permissions(folder, others, fs::perm_options::add);
}

// Root's files are opened as those of nobody: setfsuid(2) takes CAP_DAC_OVERRIDE away, too.
class AsUserOfFiles {
 public:
  AsUserOfFiles() { setfsuid(geteuid() == 0 ? nobody : geteuid()); }
  ~AsUserOfFiles() { setfsuid(geteuid()); }
  AsUserOfFiles(const AsUserOfFiles&) = delete;
  AsUserOfFiles& operator=(const AsUserOfFiles&) = delete;

 private:
  static constexpr uid_t nobody = 65534;
};

}  // namespace perfsift::test
