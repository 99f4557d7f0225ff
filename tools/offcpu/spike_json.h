// Spikes as programs read them.
#pragma once

#include <cstdint>

#include "tools/json.h"
#include "tools/offcpu/names.h"
#include "tools/offcpu/spikes.h"
#include "tools/offcpu/wait_kinds.h"

namespace perfsift::offcpu {

using tools::Json;

// A thread, and the frames of a stack from its leaf, as they are everywhere in a report.
Json thread_json(ThreadNumber thread, const Names& names);
Json frames_json(StackId stack, Names& names);

// The words of a set of filter::WaitKind.
Json wait_json(std::uint64_t kinds);

// One object. Times are in nanoseconds; what is not known is not there.
Json spike_json(const Spike& spike, Names& names, WaitKinds& waits);

}  // namespace perfsift::offcpu
