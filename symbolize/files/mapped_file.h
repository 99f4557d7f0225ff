// A file, mapped for reading.
#pragma once

#include <memory>
#include <string>

#include "base/byte_reader.h"
#include "base/owned.h"

namespace perfsift::symbolize {

// The bytes of the file, as many as it had when it was opened.
class MappedFile {
 public:
  // nullptr if the file cannot be read or is empty.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  // open() for a file that was opened for reading.
  static std::shared_ptr<const MappedFile> of(const FileDescriptor& file);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  Bytes bytes() const { return bytes_; }

 private:
  explicit MappedFile(Bytes bytes) : bytes_(bytes) {}

  Bytes bytes_;
};

}  // namespace perfsift::symbolize
