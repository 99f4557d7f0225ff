// Ownership of a C handle in one line:
//
// ```cpp
// using ElfHandle = Owned<Elf, elf_end>;
// const ElfHandle elf(elf_begin(fd, ELF_C_READ_MMAP, nullptr));
// ```
#pragma once

#include <memory>
#include <utility>

#include <unistd.h>

namespace perfsift {

template <auto release>
struct CallRelease {
  template <typename T>
  void operator()(T* handle) const {
    release(handle);
  }
};

template <typename T, auto release>
using Owned = std::unique_ptr<T, CallRelease<release>>;

// A file descriptor, closed by the destructor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace perfsift
