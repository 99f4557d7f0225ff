// A spike as text.
#pragma once

#include "analysis/offcpu/names.h"
#include "analysis/offcpu/spikes.h"
#include "analysis/offcpu/wait_kinds.h"
#include "output/text_writer.h"

namespace perfsift::output {

// Writes some lines, and an empty line.
void write_spike(const offcpu::Spike& spike, offcpu::Names& names, offcpu::WaitKinds& waits, TextWriter& out);

}  // namespace perfsift::output
