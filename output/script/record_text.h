// Records that are not samples, as perf script --show-*-events prints them.
#pragma once

#include <string_view>

#include "output/text_writer.h"
#include "reader/format/record.h"

namespace perfsift::output {

// "PERF_RECORD_COMM exec: ls:12/12\n": perf_event__fprintf() in tools/perf/util/event.c. A malformed
// record says so. `poked_symbol`: the symbol that a TEXT_POKE changed ("do_nop+0x4"); empty if unknown.
void print_record(TextWriter& out, const reader::Record& record, std::string_view poked_symbol = {});

}  // namespace perfsift::output
