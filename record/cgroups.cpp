#include "record/cgroups.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "record/machine/kernel_files.h"
#include "record/machine/mounts.h"

namespace perfsift::record {

std::vector<FileDescriptor> open_cgroups(const std::vector<std::string>& cgroups, const std::string& proc) {
  std::vector<FileDescriptor> folders;
  if (cgroups.empty()) return folders;
  const std::string root = cgroup_mount_point(text_of(proc + "/mounts"));
  if (root.empty()) throw UsageError("no file system of control groups is mounted");
  for (const std::string& cgroup : cgroups) {
    folders.emplace_back();
    if (cgroup.empty()) continue;
    const std::string path = fmt::format("{}/{}", root, cgroup);
    folders.back() = FileDescriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folders.back()) throw UsageError(fmt::format("cgroup {}: {}", printable(path), std::strerror(errno)));
  }
  return folders;
}

}  // namespace perfsift::record
