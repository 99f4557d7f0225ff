// Options for turning samples into stacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/samples/frame_namer.h"
#include "analysis/samples/stack_builder.h"
#include "analysis/samples/user_stack.h"
#include "reader/format/sample.h"

namespace perfsift::analysis {

// The only frame of a stack of which nothing is known.
inline constexpr std::string_view no_stack_frame = "[no stack]";

enum class Weight : std::uint8_t { samples, period };

struct StackOptions {
  Weight weight = Weight::period;
  bool comm = true;
  bool pid = false;     // comm-PID
  bool tid = false;     // comm-PID/TID
  bool cgroup = false;  // the control group's path as the outermost frame
  // A value of pprof that has no count, such as cpu/nanoseconds, is also the number of samples: what is compared must
  // be the value. Otherwise each sample of the profile counts once.
  bool count_by_value = false;
  // A sample of pprof or of text without frames and without a thread has no_stack_frame; otherwise only its amount is
  // kept.
  bool names_no_stack = true;
  StackShape shape;
  FrameStyle frames;
  UnwindOptions unwind;  // with the tables of the symbolizer and the code versions of the recording
};

// The frame that names a thread: the comm, with PID and TID if the options say so. A PID that is not known becomes "?",
// as in stackcollapse-perf.pl. Empty where the thread has no name, or text does not have it: then there is no frame.
std::string thread_frame(std::string_view comm, std::optional<std::int32_t> pid, std::int32_t tid,
                         const StackOptions& options);

// The weight of one sample. A sample without a recorded period has period 1. attr.sample_period is a period, unless
// attr.freq is set: then the field holds the requested frequency.
inline std::uint64_t weight_of(const reader::Sample& sample, Weight weight) {
  const reader::EventAttr& attr = sample.event->attr;
  const bool known = attr.has(reader::sample_bit::period) || attr.has(reader::sample_bit::read) || !attr.freq();
  return weight == Weight::period && known && sample.period != 0 ? sample.period : 1;
}

// Whether frames of this mode belong to the kernel part of a stack; otherwise they belong to the user part.
constexpr bool is_kernel_mode(reader::CpuMode mode) {
  using reader::CpuMode;
  return mode == CpuMode::kernel || mode == CpuMode::hypervisor || mode == CpuMode::guest_kernel;
}

}  // namespace perfsift::analysis
