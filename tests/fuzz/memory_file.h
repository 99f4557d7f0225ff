// A file in memory, for code that reads files by their paths.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace perfsift::test {

class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::uint8_t> bytes) : fd_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (write(fd_, bytes.data(), bytes.size()) < 0) std::perror("memfd");
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace perfsift::test
