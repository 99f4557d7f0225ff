#include "analysis/samples/stack_options.h"

#include <fmt/format.h>

namespace perfsift::analysis {

std::string thread_frame(std::string_view comm, std::optional<std::int32_t> pid, std::int32_t tid,
                         const StackOptions& options) {
  const std::string process = pid ? fmt::format("{}", *pid) : "?";
  if (options.tid) return foldable(fmt::format("{}-{}/{}", comm, process, tid));
  if (options.pid) return foldable(fmt::format("{}-{}", comm, process));
  return foldable(comm);
}

// attr.sample_period is a period, unless attr.freq is set: then the field holds the requested frequency.
std::uint64_t weight_of(const reader::Sample& sample, Weight weight) {
  const reader::EventAttr& attr = sample.event->attr;
  const bool known = attr.has(reader::sample_bit::period) || attr.has(reader::sample_bit::read) || !attr.freq();
  return weight == Weight::period && known && sample.period != 0 ? sample.period : 1;
}

bool is_kernel_mode(reader::CpuMode mode) {
  using reader::CpuMode;
  return mode == CpuMode::kernel || mode == CpuMode::hypervisor || mode == CpuMode::guest_kernel;
}

}  // namespace perfsift::analysis
