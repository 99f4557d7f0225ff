#include "dlfilters/host/kernel_attr.h"

namespace perfsift::dlfilter {

KernelAttr kernel_attr(const reader::EventAttr& attr) {
  return {.type = attr.type,
          .size = attr.size,
          .config = attr.config,
          .sample_period = attr.sample_period,
          .sample_type = attr.sample_type,
          .read_format = attr.read_format,
          .flags = attr.flags,
          .wakeup_events = attr.wakeup_events,
          .bp_type = attr.bp_type,
          .config1 = attr.config1,
          .config2 = attr.config2,
          .branch_sample_type = attr.branch_sample_type,
          .sample_regs_user = attr.sample_regs_user,
          .sample_stack_user = attr.sample_stack_user,
          .clock_id = attr.clock_id,
          .sample_regs_intr = attr.sample_regs_intr,
          .aux_watermark = attr.aux_watermark,
          .sample_max_stack = attr.sample_max_stack,
          .reserved_2 = 0,
          .aux_sample_size = attr.aux_sample_size,
          .aux_action = attr.aux_action,
          .sig_data = attr.sig_data,
          .config3 = attr.config3,
          .config4 = attr.config4};
}

}  // namespace perfsift::dlfilter
