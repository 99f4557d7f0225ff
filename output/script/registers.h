// Registers of a sample, by the names of their architecture.
#pragma once

#include <string>
#include <string_view>

#include "output/text_writer.h"
#include "reader/format/sample.h"

namespace perfsift::output {

// "AX", "x29", …; "unknown" if perf has no name. `architecture`: as `uname -m` prints it.
std::string register_name(std::string_view architecture, unsigned number);

// " ABI:2    AX:0x0    BX:0x1 …"; nothing without registers (kernel threads).
// perf_sample__fprintf_regs() in tools/perf/builtin-script.c.
void print_registers(TextWriter& out, const reader::Registers& registers, std::string_view architecture);

}  // namespace perfsift::output
