// Who wants to know what the scheduler did, and what else the recording tells.
#pragma once

#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/scheduler.h"

namespace perfsift::offcpu {

class Consumer : public SchedulerListener, public FeedListener {};

}  // namespace perfsift::offcpu
