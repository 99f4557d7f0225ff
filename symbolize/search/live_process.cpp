#include "symbolize/search/live_process.h"

#include <optional>
#include <string_view>

#include <sys/stat.h>

#include "base/number_in.h"
#include "base/text_scanner.h"
#include "symbolize/files/whole_file.h"

namespace perfsift::symbolize {

namespace {

// The file behind a link of /proc: two links lead to the same file if device and inode are equal.
struct Identity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const Identity&) const = default;
};

std::optional<Identity> identity_of(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

// A line of /proc/PID/maps: "7f51c0e01000-7f51c0e02000 r-xp 00000000 00:00 0"
bool is_code_at(std::string_view line, std::uint64_t address) {
  const auto start = take_hex(line);
  if (!start || !line.starts_with('-')) return false;
  line.remove_prefix(1);
  const auto end = take_hex(line);
  const bool executable = line.size() >= 4 && line[3] == 'x';
  return end && executable && *start <= address && address < *end;
}

std::string folder_of_process(std::int32_t pid) { return "/proc/" + std::to_string(pid); }

bool has_code_at(const std::string& process, std::uint64_t address) {
  const auto maps = read_whole_file(process + "/maps");
  if (!maps) return false;
  for (std::string_view rest = *maps; !rest.empty();)
    if (is_code_at(take_line(rest), address)) return true;
  return false;
}

}  // namespace

bool still_runs(const Binary& binary, const SymbolizeOptions& options) {
  const Mapper& mapper = binary.mapper;
  if (mapper.pid <= 0 || !binary.same_kernel || !options.symfs.empty()) return false;
  const std::string process = folder_of_process(mapper.pid);
  const auto mounts = identity_of(process + "/ns/mnt");
  if (!mounts || (mapper.mount_namespace != 0 && mapper.mount_namespace != mounts->inode)) return false;
  return has_code_at(process, mapper.address);
}

std::string foreign_root(const Binary& binary, const SymbolizeOptions& options) {
  if (binary.mapper.pid <= 0 || !binary.same_kernel || !options.symfs.empty()) return {};
  const std::string process = folder_of_process(binary.mapper.pid);
  const auto mounts = identity_of(process + "/ns/mnt"), root = identity_of(process + "/root");
  if (!mounts || !root) return {};
  if (mounts == identity_of("/proc/self/ns/mnt") && root == identity_of("/proc/self/root")) return {};
  return still_runs(binary, options) ? process + "/root" : std::string();
}

std::optional<uid_t> user_of_process(const Binary& binary, const SymbolizeOptions& options) {
  struct stat status;
  if (!still_runs(binary, options)) return std::nullopt;
  if (stat(folder_of_process(binary.mapper.pid).c_str(), &status) != 0) return std::nullopt;
  return status.st_uid;
}

// The last number of "NStgid:\t1234\t7" in /proc/PID/status.
std::int32_t inner_pid(std::int32_t pid) {
  const auto status = read_whole_file("/proc/" + std::to_string(pid) + "/status");
  if (!status) return pid;
  for (std::string_view rest = *status; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (!line.starts_with("NStgid:")) continue;
    return number_in<std::int32_t>(line.substr(line.rfind('\t') + 1)).value_or(pid);
  }
  return pid;
}

}  // namespace perfsift::symbolize
