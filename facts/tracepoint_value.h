// The fields of tracepoints that an expression names, in the raw data of samples.
#pragma once

#include <string>

#include "filter/filter.h"
#include "reader/tracepoint.h"

namespace perfsift::facts {

// nullptr: samples of the tracepoint have no such field.
const reader::TracepointField* find_field(const reader::TracepointFormat& format, const filter::TracepointField& field);

// Nothing if the raw data is too short for a number. `store` holds the text of the result.
filter::TracepointValue tracepoint_value(const reader::TracepointFormats& formats, const reader::TracepointField& field,
                                         Bytes raw, std::string& store);

}  // namespace perfsift::facts
