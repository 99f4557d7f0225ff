// struct perf_event_attr as bytes, for perf_event_open() and for recordings: the twin of decode_event_attr().
#pragma once

#include <cstddef>
#include <vector>

#include "base/byte_reader.h"
#include "reader/format/event.h"

namespace perfsift::reader {

// The first `size` bytes of the struct, whose `size` field is `size`: a multiple of 8, at least 64
// (PERF_ATTR_SIZE_VER0). Fields behind `size` are left out; bytes behind the known fields are 0.
std::vector<std::byte> encode_event_attr(const EventAttr& attr, ByteOrder order, std::size_t size);

}  // namespace perfsift::reader
