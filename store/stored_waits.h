// The waits of a store, which the engine adds up.
#pragma once

#include "analysis/offcpu/summed_waits.h"
#include "analysis/samples/frame_namer.h"
#include "analysis/samples/frame_table.h"
#include "store/engine/engine.h"
#include "store/selection.h"

namespace perfsift::store {

// The waits that the selection chooses, without their times. `frames` gets the frames of their stacks, and must live as
// long as the waits. Throws InputError.
offcpu::SummedWaits read_waits(Engine& engine, const Selection& selection, analysis::FrameTable& frames,
                               const analysis::FrameStyle& style);

}  // namespace perfsift::store
