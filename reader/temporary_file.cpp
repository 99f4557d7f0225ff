#include "reader/temporary_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/page_size.h"

namespace perfsift::reader {
namespace {

// A file without a name; none if the folder takes no files.
FileDescriptor file_below(const std::string& folder) {
  FileDescriptor file(open(folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;  // otherwise the file system has no files without names
  std::string name = folder + "/perfsift-XXXXXX";
  file = FileDescriptor(mkostemp(name.data(), O_CLOEXEC));
  if (file) unlink(name.c_str());
  return file;
}

// In bytes, without what would have to be swapped out (MemAvailable of proc(5)).
std::uint64_t available_memory() {
  std::ifstream facts("/proc/meminfo");
  for (std::string name, unit; facts >> name;) {
    std::uint64_t kilobytes = 0;
    facts >> kilobytes;
    if (name == "MemAvailable:") return kilobytes << 10;
    std::getline(facts, unit);
  }
  return static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * page_size();
}

}  // namespace

Mapped::~Mapped() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

Mapped Mapped::first(std::size_t size) && {
  const std::size_t page = page_size();
  const std::span<std::byte> all = std::exchange(bytes_, {});
  const std::size_t kept = (size + page - 1) / page * page;
  if (kept < all.size()) munmap(all.data() + kept, all.size() - kept);
  return size != 0 ? Mapped(all.data(), size) : Mapped();
}

Mapped new_memory(std::size_t size) {
  void* start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  return {start, size};
}

TemporaryFile::TemporaryFile() {
  std::error_code none;
  folder_ = std::filesystem::temp_directory_path(none).string();
  if (!none) file_ = file_below(folder_);
  if (file_) return;
  if (!none && errno != ENOENT && errno != EROFS && errno != EACCES) fail("make");
  folder_.clear();
  file_ = FileDescriptor(memfd_create("perfsift", MFD_CLOEXEC));
  if (!file_) fail("make");
}

void TemporaryFile::fail(const std::string& what) const {
  const std::string reason = std::strerror(errno);
  const std::string place =
      folder_.empty() ? "in memory, as there is no folder for temporary files" : "below " + folder_;
  throw InputError("cannot " + what + " a temporary file " + place + ": " + reason +
                   "; set TMPDIR to a place with more room");
}

void TemporaryFile::append(Bytes bytes) {
  if (folder_.empty()) leave_room(bytes.size());  // a disk says when it is full
  while (!bytes.empty()) {
    const ssize_t written = write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    size_ += static_cast<std::size_t>(written);
  }
}

Mapped TemporaryFile::map() const { return map(0, size_, PROT_READ); }

Mapped TemporaryFile::map(std::size_t offset, std::size_t size, int protection) const {
  if (size == 0) return {};
  void* start = mmap(nullptr, size, protection, MAP_SHARED, file_.get(), static_cast<off_t>(offset));
  if (start == MAP_FAILED) fail("map");
  return {start, size};
}

// A small input can be made to expand to many times its size: it must not fill the disk.
void TemporaryFile::leave_room(std::size_t size) const {
  std::uint64_t left = 0;
  if (folder_.empty()) {
    left = available_memory();
  } else {
    struct statvfs disk {};
    if (fstatvfs(file_.get(), &disk) != 0 || disk.f_blocks == 0) return;
    left = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  }
  if (size <= left && left - size >= (left + size_) / 8) return;
  errno = ENOSPC;
  fail("extend");
}

Mapped TemporaryFile::extend(std::size_t size) {
  const std::size_t page = page_size();
  const std::size_t start = (size_ + page - 1) / page * page;
  const std::size_t length = (size + page - 1) / page * page;
  leave_room(length);
  // Blocks are reserved now: if the disk became full later, a write to the mapping would be a SIGBUS.
  if (const int error = posix_fallocate(file_.get(), static_cast<off_t>(start), static_cast<off_t>(length))) {
    errno = error;
    fail("extend");
  }
  size_ = start + length;
  return map(start, length, PROT_READ | PROT_WRITE);
}

}  // namespace perfsift::reader
