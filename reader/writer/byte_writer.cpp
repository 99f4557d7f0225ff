#include "reader/writer/byte_writer.h"

namespace perfsift::reader {

ByteWriter& ByteWriter::bytes(Bytes some) {
  out_.insert(out_.end(), some.begin(), some.end());
  return *this;
}

ByteWriter& ByteWriter::zeros(std::size_t count) {
  out_.resize(out_.size() + count);
  return *this;
}

}  // namespace perfsift::reader
