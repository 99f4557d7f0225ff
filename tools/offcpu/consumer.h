// Who wants to know what the scheduler did, and what else the recording tells.
#pragma once

#include "tools/offcpu/recording_feed.h"
#include "tools/offcpu/scheduler.h"

namespace perfsift::offcpu {

class Consumer : public SchedulerListener, public FeedListener {};

}  // namespace perfsift::offcpu
