// A spike as people read it.
#pragma once

#include "analysis/offcpu/names.h"
#include "analysis/offcpu/spikes.h"
#include "analysis/offcpu/wait_kinds.h"
#include "output/text_writer.h"

namespace perfsift::output {

// Some lines, and an empty one.
void write_spike(const offcpu::Spike& spike, offcpu::Names& names, offcpu::WaitKinds& waits, TextWriter& out);

}  // namespace perfsift::output
