// The places of a tracepoint's fields in the raw data of a sample, which may come from a hostile file.
#pragma once

#include <cstdint>
#include <optional>

#include "base/byte_reader.h"
#include "reader/tracepoint/field.h"

namespace perfsift::reader {

// The content of a field; nothing when the content is not inside the raw data.
std::optional<Bytes> content(const TracepointField& field, Bytes raw, ByteOrder order);

// A number of 1, 2, 4 or 8 bytes; signed numbers are sign-extended. Nothing for other sizes.
std::optional<std::uint64_t> field_number(Bytes bytes, bool is_signed, ByteOrder order);

}  // namespace perfsift::reader
