// The record that perf decoded a sample from.
//
// perf hands a dlfilter what it needs of most samples, but not the registers and the copy of the stack that
// --call-graph dwarf records. It hands out the callchain where it lies, however: in the record, from which all the rest
// can be read.
//
//   struct perf_event_header | fixed fields … | nr | callchain … | raw, branches, registers, stack …
//                                                    ^ Sample::raw_callchain
//
// That is how perf is made, and no promise. So nothing is believed before it has been compared with the sample.
#pragma once

#include <optional>

#include "dlfilters/abi.h"
#include "reader/format/event.h"
#include "reader/format/record.h"

namespace perfsift::dlfilter {

// Valid as long as the sample. Nothing where the callchain is in no such record: perf has put the sample together from
// something else, changed it, or read it in the other byte order; or the record holds more counters than groups have.
std::optional<reader::Record> record_of(const Sample& sample, const reader::EventAttr& attr);

}  // namespace perfsift::dlfilter
