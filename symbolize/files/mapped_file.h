// A file whose bytes are read where they lie.
#pragma once

#include <memory>
#include <string>

#include "base/byte_reader.h"
#include "base/owned.h"

namespace perfsift::symbolize {

// As long as it was when it was opened.
class MappedFile {
 public:
  // nullptr when it cannot be read or is empty.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  // The same of a file that was opened for reading.
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
