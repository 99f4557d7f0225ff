// What is made of samples when they become stacks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/samples/frame_namer.h"
#include "analysis/samples/stack_builder.h"
#include "analysis/samples/user_stack.h"
#include "reader/format/sample.h"

namespace perfsift::analysis {

enum class Weight : std::uint8_t { samples, period };

struct StackOptions {
  Weight weight = Weight::period;
  bool comm = true;
  bool pid = false;     // comm-PID
  bool tid = false;     // comm-PID/TID
  bool cgroup = false;  // the control group's path as the outermost frame
  StackShape shape;
  FrameStyle frames;
  UnwindOptions unwind;  // its tables are the symbolizer's, its code versions the recording's
};

// The frame that names a thread: its comm, with its numbers where they are asked for.
std::string thread_frame(std::string_view comm, std::int32_t pid, std::int32_t tid, const StackOptions& options);

// What one sample counts. Its period is 1 where none was recorded.
std::uint64_t weight_of(const reader::Sample& sample, Weight weight);

// Which of the two parts of a stack frames of this mode belong to.
bool is_kernel_mode(reader::CpuMode mode);

}  // namespace perfsift::analysis
