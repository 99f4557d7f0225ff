// Where the fields of a tracepoint lie in the raw data of a sample, which comes from a file anybody may have written.
#pragma once

#include <cstdint>
#include <optional>

#include "base/byte_reader.h"
#include "reader/tracepoint.h"

namespace perfsift::reader {

// Where the content of a field lies; nothing when it is not within the raw data.
std::optional<Bytes> content(const TracepointField& field, Bytes raw, ByteOrder order);

// A number of 1, 2, 4 or 8 bytes, signed ones sign-extended; nothing for other sizes.
std::optional<std::uint64_t> number_in(Bytes bytes, bool is_signed, ByteOrder order);

}  // namespace perfsift::reader
