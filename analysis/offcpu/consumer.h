// The interface of code that uses both the scheduler's results and the other contents of a recording.
#pragma once

#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/scheduler.h"

namespace perfsift::offcpu {

class Consumer : public SchedulerListener, public FeedListener {};

}  // namespace perfsift::offcpu
