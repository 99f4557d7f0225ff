#include "reader/records/compressed.h"

#include <algorithm>

namespace perfsift::reader {

std::optional<Compressed> decode_compressed(const Record& record) {
  auto in = record.reader();
  const std::uint64_t size = record.header.type == RecordType::compressed2 ? in.u64() : in.remaining();
  const Compressed piece{.size = size, .data = in.bytes(std::min<std::uint64_t>(size, in.remaining()))};
  return in.ok() ? std::optional(piece) : std::nullopt;
}

}  // namespace perfsift::reader
