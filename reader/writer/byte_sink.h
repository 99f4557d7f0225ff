// The destination of the bytes of a written recording.
#pragma once

#include <cstdint>

#include "base/byte_reader.h"

namespace perfsift::reader {

// The implementation chooses what to throw when a write fails.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(Bytes bytes) = 0;
  // Overwrites bytes that were written before. Called only for recordings in file form.
  virtual void write_at(std::uint64_t offset, Bytes bytes) = 0;
};

}  // namespace perfsift::reader
