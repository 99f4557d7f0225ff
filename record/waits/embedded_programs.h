// The BPF objects of waits.bpf.c, which are a part of the program.
#pragma once

#include <span>

#include "base/byte_reader.h"

namespace perfsift::record {

// For tracepoints with types (tp_btf, Linux 5.5).
Bytes embedded_wait_programs();
// For kernels that refuse these.
Bytes embedded_wait_programs_of_raw_tracepoints();

}  // namespace perfsift::record
