// What libtraceevent must not be asked to print: it trusts the raw data it is given, which here comes from a file
// anybody may have written.
#pragma once

#include <optional>

#include <traceevent/event-parse.h>

#include "base/byte_reader.h"
#include "reader/tracepoint.h"

namespace perfsift::reader {

// Whether printing reads nothing but the raw data: all fields and their dynamic parts lie in it, and so does every
// array that is printed with a length, or indexed with a number, that the raw data itself gives.
bool is_printable(const tep_event& event, const TracepointFormats& formats, const TracepointFormat& format, Bytes raw);

// Where the content of a field lies; nothing when it is not within the raw data.
std::optional<Bytes> content(const TracepointField& field, Bytes raw, ByteOrder order);

}  // namespace perfsift::reader
