// struct perf_event_attr, as filters get it.
#pragma once

#include <cstdint>

#include "reader/format/event.h"

namespace perfsift::dlfilter {

// The layout of include/uapi/linux/perf_event.h in this machine's byte order. Filters
// compiled against older headers know only the first members.
struct KernelAttr {
  std::uint32_t type;
  std::uint32_t size;
  std::uint64_t config;
  std::uint64_t sample_period;
  std::uint64_t sample_type;
  std::uint64_t read_format;
  std::uint64_t flags;
  std::uint32_t wakeup_events;
  std::uint32_t bp_type;
  std::uint64_t config1;
  std::uint64_t config2;
  std::uint64_t branch_sample_type;
  std::uint64_t sample_regs_user;
  std::uint32_t sample_stack_user;
  std::int32_t clock_id;
  std::uint64_t sample_regs_intr;
  std::uint32_t aux_watermark;
  std::uint16_t sample_max_stack;
  std::uint16_t reserved_2;
  std::uint32_t aux_sample_size;
  std::uint32_t aux_action;
  std::uint64_t sig_data;
  std::uint64_t config3;
  std::uint64_t config4;
};
static_assert(sizeof(KernelAttr) == 144);

KernelAttr kernel_attr(const reader::EventAttr& attr);

}  // namespace perfsift::dlfilter
