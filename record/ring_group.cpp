#include "record/ring_group.h"

#include <sys/eventfd.h>

namespace perfsift::record {

void RingGroup::wait() {
  const std::size_t before = live();
  wake_ups_.wait(longest_wait_);
  if (live() != before) eventfd_write(ended_fd_, 1);
}

}  // namespace perfsift::record
