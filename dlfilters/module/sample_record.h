// The record that perf decoded a sample from.
//
// perf hands a dlfilter most fields of a sample, but not the registers and the copy of the stack that --call-graph
// dwarf records. The callchain, however, is handed out where it lies: in the record, whose other fields can be read
// from there.
//
//   struct perf_event_header | fixed fields … | nr | callchain … | raw, branches, registers, stack …
//                                                    ^ Sample::raw_callchain
//
// perf does not promise this layout. So every field is compared with the sample before it is believed.
#pragma once

#include <optional>

#include "dlfilters/abi.h"
#include "reader/format/event.h"
#include "reader/format/record.h"

namespace perfsift::dlfilter {

// Valid as long as the sample. Nothing if the callchain is in no such record: perf has made the sample from other
// records, changed it, or read it in the other byte order; or the record holds more counters than groups have.
std::optional<reader::Record> record_of(const Sample& sample, const reader::EventAttr& attr);

}  // namespace perfsift::dlfilter
