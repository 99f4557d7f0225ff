// A spike as people read it.
#pragma once

#include "tools/offcpu/names.h"
#include "tools/offcpu/spikes.h"
#include "tools/offcpu/wait_kinds.h"
#include "tools/text_writer.h"

namespace perfsift::offcpu {

// Some lines, and an empty one.
void write_spike(const Spike& spike, Names& names, WaitKinds& waits, tools::TextWriter& out);

}  // namespace perfsift::offcpu
