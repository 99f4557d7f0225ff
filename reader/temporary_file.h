// Bytes that must be kept but are not in the input as such: decompressed, or read from a pipe.
//
// The bytes go to a nameless file below $TMPDIR (or /tmp) that is mapped. The kernel can write the pages to the disk
// when memory is short, so a recording need not fit into memory. It must where there is no such folder, as in a
// container made from scratch: there, the file is in memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_reader.h"
#include "base/owned.h"

namespace perfsift::reader {

// Mapped memory; the destructor unmaps it.
class Mapped {
 public:
  Mapped() = default;
  Mapped(void* start, std::size_t size) : bytes_(static_cast<std::byte*>(start), size) {}
  Mapped(Mapped&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapped& operator=(Mapped&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapped();

  Bytes bytes() const { return bytes_; }
  std::span<std::byte> writable() const { return bytes_; }
  // Unmaps all but the first bytes.
  Mapped first(std::size_t size) &&;

 private:
  std::span<std::byte> bytes_;
};

// Memory without a file. The kernel provides each part when it is first used.
Mapped new_memory(std::size_t size);

// Not thread-safe. Throws InputError when the disk, or the memory, is full.
class TemporaryFile {
 public:
  TemporaryFile();

  void append(Bytes bytes);
  std::size_t size() const { return size_; }
  // All bytes that were appended, mapped for reading.
  Mapped map() const;
  // `size` new bytes (rounded up to pages) at the end, mapped for writing. An eighth of the free space of the disk, or
  // of the memory, stays free.
  Mapped extend(std::size_t size);

 private:
  [[noreturn]] void fail(const std::string& what) const;
  Mapped map(std::size_t offset, std::size_t size, int protection) const;
  void leave_room(std::size_t size) const;

  FileDescriptor file_;
  std::string folder_;  // empty: it is in memory
  std::size_t size_ = 0;
};

}  // namespace perfsift::reader
