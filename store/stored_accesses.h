// The memory accesses of a store, which the engine adds up.
#pragma once

#include "analysis/memory/summed_accesses.h"
#include "analysis/samples/frame_namer.h"
#include "analysis/samples/frame_table.h"
#include "store/engine/engine.h"
#include "store/selection.h"

namespace perfsift::store {

// The accesses that the selection chooses, without their times. `frames` gets their texts and, if `with_stacks`, the
// frames of their stacks, and must live as long as the accesses. Throws InputError.
analysis::SummedAccesses read_accesses(Engine& engine, const Selection& selection, analysis::FrameTable& frames,
                                       const analysis::FrameStyle& style, bool with_stacks);

}  // namespace perfsift::store
