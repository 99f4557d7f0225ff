// Where the bytes of a written recording go.
#pragma once

#include <cstdint>

#include "base/byte_reader.h"

namespace perfsift::reader {

// Throws whatever the owner thinks right when it takes no more.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(Bytes bytes) = 0;
  // Puts bytes in the place of some that were written before. Only asked of recordings in file form.
  virtual void write_at(std::uint64_t offset, Bytes bytes) = 0;
};

}  // namespace perfsift::reader
