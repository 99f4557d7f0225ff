// Metrics of measuring itself: what it took, and what it left out.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/offcpu/sched_feed.h"

namespace perfsift::output {

// `report_time`: nanoseconds of CPU time of this process. Empty for recordings that BPF programs did not measure.
std::string measuring_metrics(const offcpu::FeedSources& sources, std::uint64_t report_time);

}  // namespace perfsift::output
