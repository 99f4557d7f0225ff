#include "output/files/output_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"
#include "output/files/older_output.h"

namespace perfsift::output {
namespace {

// ext4 and others cache the data of one write() in the largest free piece of memory. A virtual machine may have given
// free pieces of 128 KiB and more back to its host (free page reporting). Getting such a piece again takes longer than
// filling it.
constexpr std::size_t most_at_once = std::size_t{64} << 10;

Error cannot_write(const std::string& path) { return Error(path + ": cannot write: " + std::strerror(errno)); }

bool is_on_ext4(int fd) {
  struct statfs system {};
  return fstatfs(fd, &system) == 0 && system.f_type == EXT4_SUPER_MAGIC;
}

// The file behind symbolic links. The links stay.
std::string behind_links(const std::string& path) {
  const Owned<char, std::free> real(realpath(path.c_str(), nullptr));
  return real ? real.get() : path;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

std::string path_of_descriptor(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// A file without a name. Not every file system has such files, and /proc is needed to give them a name.
FileDescriptor nameless_file_in(const std::string& folder) {
  FileDescriptor file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  return file && access(path_of_descriptor(file.get()).c_str(), F_OK) == 0 ? std::move(file) : FileDescriptor();
}

// The mode that open(2) would give a new file. The umask can only be read by setting it.
mode_t mode_of_new_files() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

bool OutputFile::is_standard_output(std::string_view path) {
  return path == standard_output || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

OutputFile::OutputFile(const std::string& path, std::optional<mode_t> mode)
    : path_(is_standard_output(path) ? "standard output" : path),
      fd_(STDOUT_FILENO),
      takes_room_(is_on_ext4(STDOUT_FILENO)) {
  if (is_standard_output(path)) return;
  struct stat old {};
  const bool exists = stat(path.c_str(), &old) == 0;
  if (exists && (!S_ISREG(old.st_mode) || access(path.c_str(), W_OK) != 0)) {
    open_in_place();
  } else {
    const std::string place = exists ? behind_links(path) : path;
    open_beside(place, place, exists ? &old : nullptr, mode ? *mode : mode_of_new_files());
  }
  fd_ = file_.get();
  takes_room_ = is_on_ext4(fd_);
}

OutputFile::OutputFile(const std::string& name, FileDescriptor file)
    : path_(name), file_(std::move(file)), fd_(file_.get()), takes_room_(false) {}

OutputFile OutputFile::growing(const std::string& path, mode_t mode) {
  refuse_what_stays(path);
  return OutputFile(path, path, mode, Growing{});
}

OutputFile OutputFile::growing_in(const std::string& folder, const std::string& name, mode_t mode) {
  return OutputFile(folder + "/" + name, folder, mode, Growing{});
}

OutputFile::OutputFile(const std::string& path, const std::string& beside, mode_t mode, Growing /*growing*/)
    : path_(path), grows_(true) {
  open_beside(path, beside, nullptr, mode);
  fd_ = file_.get();
  takes_room_ = is_on_ext4(fd_);
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::open_in_place() {
  file_ = FileDescriptor(open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (!file_) throw cannot_write(path_);
}

// A file without a name, or with a temporary name beside the path `beside`.
void OutputFile::open_beside(const std::string& place, const std::string& beside, const struct stat* old, mode_t mode) {
  file_ = nameless_file_in(folder_of(beside));
  if (!file_) {
    std::string temporary = beside + ".XXXXXX";
    file_ = FileDescriptor(mkostemp(temporary.data(), O_CLOEXEC));
    if (file_) temporary_ = temporary, unfinished_.note(temporary);
  }
  if (!file_) {  // a file that may be written, in a folder that may not
    if (old != nullptr && (errno == EACCES || errno == EPERM)) return open_in_place();
    throw cannot_write(path_);
  }
  place_ = place;
  // A refused fchown() is no reason to fail. It comes before fchmod(), as it clears bits of the mode.
  if (old != nullptr && fchown(file_.get(), old->st_uid, old->st_gid) != 0) errno = 0;
  if (fchmod(file_.get(), old != nullptr ? old->st_mode & 07777 : mode) != 0) throw cannot_write(path_);
}

// ext4 reserves blocks write by write, which takes a third of the time of writing, unless the file has the blocks
// already. If this fails, write() reserves blocks, or fails. A growing file takes room ahead: each call takes a tenth
// of the time of writing 1 MiB.
void OutputFile::take_room(std::size_t bytes) {
  constexpr std::size_t worth_it = std::size_t{256} << 10, ahead = std::size_t{16} << 20;
  const bool goes_on = grows_ && room_end_ > 0;  // then small writes find room, too
  if (!takes_room_ || (bytes < worth_it && !goes_on)) return;
  const off_t at = lseek(fd_, 0, SEEK_CUR);
  if (at + static_cast<off_t>(bytes) <= room_end_) return;
  const off_t taken = static_cast<off_t>(grows_ ? std::max(bytes, ahead) : bytes);
  takes_room_ = at >= 0 && fallocate(fd_, FALLOC_FL_KEEP_SIZE, at, taken) == 0;
  if (takes_room_) room_end_ = at + taken;
}

// Gives back the room that was taken ahead. A refusal only leaves the room with the file.
void OutputFile::give_room_back() {
  struct stat status {};
  if (grows_ && room_end_ > 0 && fstat(fd_, &status) == 0 && ftruncate(fd_, status.st_size) != 0) errno = 0;
  room_end_ = 0;
}

void OutputFile::write(std::string_view data) {
  take_room(data.size());
  while (!data.empty()) {
    const ssize_t written = ::write(fd_, data.data(), std::min(data.size(), most_at_once));
    if (written >= 0) {
      data.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw OutputClosed();
    } else if (errno != EINTR) {
      throw cannot_write(path_);
    }
  }
}

void OutputFile::write_at(std::uint64_t offset, std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = pwrite(fd_, data.data(), data.size(), static_cast<off_t>(offset));
    if (written >= 0) {
      data.remove_prefix(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    } else if (errno != EINTR) {
      throw cannot_write(path_);
    }
  }
}

void OutputFile::appear() {
  if (!grows_ || place_.empty()) return;
  keep_as_old(place_);
  if (!takes_free_name()) throw cannot_write(path_);
  if (!temporary_.empty()) temporary_.clear(), unfinished_.forget();
  place_.clear();
}

void OutputFile::commit() {
  give_room_back();
  if (grows_) return appear();
  if (place_.empty()) return;
  if (temporary_.empty() && takes_free_place()) return place_.clear();
  // A rename over a file makes ext4 write all data to the disk first (auto_da_alloc), which takes longer than folding.
  // Exchanging the two files does not; then the old file is removed.
  if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, place_.c_str(), RENAME_EXCHANGE) == 0) {
    unlink(temporary_.c_str());
  } else if (std::rename(temporary_.c_str(), place_.c_str()) != 0) {
    throw cannot_write(path_);
  }
  temporary_.clear();
  unfinished_.forget();
  place_.clear();
}

void OutputFile::give_to(uid_t user, gid_t group) {
  if (file_ && fchown(file_.get(), user, group) != 0) errno = 0;
}

// Gives the file a name that no other file has. Nothing that has appeared under the name meanwhile is overwritten,
// unless the file system cannot promise this (EINVAL).
bool OutputFile::takes_free_name() {
  if (temporary_.empty())
    return linkat(AT_FDCWD, path_of_descriptor(fd_).c_str(), AT_FDCWD, place_.c_str(), AT_SYMLINK_FOLLOW) == 0;
  if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, place_.c_str(), RENAME_NOREPLACE) == 0) return true;
  return errno == EINVAL && std::rename(temporary_.c_str(), place_.c_str()) == 0;
}

// Gives a nameless file its name, or another name beside it if the name is taken.
bool OutputFile::takes_free_place() {
  const std::string own = path_of_descriptor(fd_);
  const auto link_to = [&](const std::string& name) {
    return linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link_to(place_)) return true;
  // These names are as long as those of mkostemp(), for which longest_file_name of path_of_part() leaves room.
  for (auto number = static_cast<unsigned>(getpid()); errno == EEXIST; ++number) {
    const std::string name = place_ + fmt::format(".{:06x}", number & 0xffffff);
    unfinished_.note(name);
    if (link_to(name)) return temporary_ = name, false;
    unfinished_.forget();
  }
  throw cannot_write(path_);
}

}  // namespace perfsift::output
