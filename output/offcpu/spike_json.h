// Spikes as JSON.
#pragma once

#include <cstdint>

#include "analysis/offcpu/names.h"
#include "analysis/offcpu/spikes.h"
#include "analysis/offcpu/wait_kinds.h"
#include "output/json.h"

namespace perfsift::output {

// A thread, and the frames of a stack from the leaf, in the form that all parts of a report use.
Json thread_json(offcpu::ThreadNumber thread, const offcpu::Names& names);
Json frames_json(offcpu::StackId stack, offcpu::Names& names);

// The words of a set of filter::WaitKind.
Json wait_json(std::uint64_t kinds);

// One object. Times are in nanoseconds; unknown facts have no key.
Json spike_json(const offcpu::Spike& spike, offcpu::Names& names, offcpu::WaitKinds& waits);

}  // namespace perfsift::output
