#include "record/cgroups.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"

namespace perfsift::record {

namespace {

bool has_option(const std::string& options, std::string_view wanted) {
  return ("," + options + ",").find(fmt::format(",{},", wanted)) != std::string::npos;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

// cgroupfs_find_mountpoint() in tools/lib/api/fs/cgroup.c also prefers version 1.
std::string perf_cgroup_root(std::string_view mounts) {
  std::istringstream lines{std::string(mounts)};
  std::string version_2;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string device, folder, type, options;
    words >> device >> folder >> type >> options;
    if (type == "cgroup" && has_option(options, "perf_event")) return folder;
    if (type == "cgroup2" && version_2.empty()) version_2 = folder;
  }
  return version_2;
}

std::vector<FileDescriptor> open_cgroups(const std::vector<std::string>& cgroups, const std::string& proc) {
  std::vector<FileDescriptor> folders;
  if (cgroups.empty()) return folders;
  const std::string root = perf_cgroup_root(content_of(proc + "/mounts"));
  if (root.empty()) throw UsageError("no file system of control groups is mounted");
  for (const std::string& cgroup : cgroups) {
    folders.emplace_back();
    if (cgroup.empty()) continue;
    const std::string path = root + "/" + cgroup;
    folders.back() = FileDescriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folders.back()) throw UsageError(fmt::format("cgroup {}: {}", printable(path), std::strerror(errno)));
  }
  return folders;
}

}  // namespace perfsift::record
