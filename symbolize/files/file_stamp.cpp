#include "symbolize/files/file_stamp.h"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace perfsift::symbolize {

namespace {

std::int64_t nanoseconds(const timespec& time) { return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec; }

FileStamp stamp(const struct stat& status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .written_ns = nanoseconds(status.st_mtim),
          .changed_ns = nanoseconds(status.st_ctim)};
}

}  // namespace

std::string FileStamp::words() const {
  return fmt::format("{} {} {} {} {}", device, inode, size, written_ns, changed_ns);
}

std::optional<FileStamp> stamp_of(const FileDescriptor& file) {
  struct stat status;
  return fstat(file.get(), &status) == 0 ? std::optional(stamp(status)) : std::nullopt;
}

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? std::optional(stamp(status)) : std::nullopt;
}

bool has_recorded_inode(const std::string& path) {
  struct statfs system;
  return statfs(path.c_str(), &system) != 0 || system.f_type != OVERLAYFS_SUPER_MAGIC;
}

// The type of FS_IOC_GETVERSION says long, but file systems write an int (ext4_ioctl(), btrfs_ioctl_getversion()).
std::optional<std::uint32_t> inode_generation(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  long written = 0;
  if (!file || ioctl(file.get(), FS_IOC_GETVERSION, &written) != 0) return std::nullopt;
  std::uint32_t generation = 0;
  std::memcpy(&generation, &written, sizeof generation);
  return generation;
}

std::optional<std::string> file_in_words(const std::string& path, const std::optional<FileStamp>& stamp) {
  return stamp ? std::optional(path + '\n' + stamp->words()) : std::nullopt;
}

bool is_unchanged(std::string_view file_in_words) {
  const std::size_t end_of_path = std::min(file_in_words.rfind('\n'), file_in_words.size());
  const std::string path(file_in_words.substr(0, end_of_path));
  return symbolize::file_in_words(path, stamp_of(path)) == file_in_words;
}

bool is_own(const struct stat& status) { return status.st_uid == 0 || status.st_uid == geteuid(); }

bool is_own_alone(const struct stat& status) { return is_own(status) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0; }

}  // namespace perfsift::symbolize
