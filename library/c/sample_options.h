// The options that visits, columns and profiles share.
#pragma once

#include <perfsift/all.h>
#include <perfsift/perfsift.h>

namespace perfsift::v0::detail {

// Checked. Throws Error: usage, filter.
perfsift_sample_options sample_options(const perfsift_sample_options* given);
SampleOptions public_options(const perfsift_sample_options& options);

// The frame for C. Texts are those of `frame`.
perfsift_frame c_frame(const Frame& frame);
// The event for C. The name is that of `event`.
perfsift_event c_event(const Event& event);

}  // namespace perfsift::v0::detail
