// Connects the reader and the unwinder: the user part of a sample's stack, from its registers and the copy of its
// stack.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "analysis/samples/code_versions.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"
#include "symbolize/unwind/stack_memory.h"
#include "symbolize/unwind/unwinder.h"

namespace perfsift::analysis {

// How the stacks of samples are found.
struct UnwindOptions {
  symbolize::Symbolizer* symbolizer = nullptr;  // nullptr: stacks are not unwound, and functions are not distinguished
  const CodeVersions* code_versions = nullptr;  // nullptr: the latest code at an address counts
  std::size_t max_frames = 127;                 // perf's own default
  // Missing parts of a stack copy are taken from earlier samples of the thread; samples must then come in the order of
  // their times.
  bool repair = false;
};

// The machine architecture of the recording, as uname() names it. A recording without one is taken for a recording of
// this machine, as in perf (perf_env__raw_arch()).
std::string machine_of(const reader::Recording& recording);

// Unwinds the samples of one recording. Not thread-safe.
class UserStackUnwinder {
 public:
  UserStackUnwinder(const reader::Recording& recording, const UnwindOptions& options);

  // The user part of the sample's stack, leaf first; nullptr where the sample has no user registers or comes from a
  // processor whose stacks cannot be unwound. Valid until the next call.
  const symbolize::UnwoundStack* unwind(const reader::Sample& sample, reader::MapsVersion maps);
  // Whether the link register was recorded of a stack by frame pointers.
  bool has_link_register(const reader::Sample& sample);
  // The return address of the sample's first user frame, in a stack by frame pointers, if the link register was
  // recorded and the function has not saved it yet. perf record --call-graph fp records the link register on Arm for
  // this (get_leaf_frame_caller_aarch64()). `first`: the address of that frame.
  std::optional<std::uint64_t> caller_by_link_register(const reader::Sample& sample, std::uint64_t first,
                                                       reader::MapsVersion maps);

 private:
  const symbolize::UnwoundStack& unwind(const reader::Sample& sample, const symbolize::UserState& state,
                                        reader::MapsVersion maps);
  std::uint64_t code_time(const reader::Sample& sample) const;
  symbolize::StackMemory& memory_of(std::int32_t tid);

  const reader::Recording& recording_;
  const UnwindOptions options_;
  std::string machine_;                            // empty until the first sample: a stream does not name it earlier
  std::unique_ptr<symbolize::Unwinder> unwinder_;  // created on first use, because its tables are large
  symbolize::UnwoundStack stack_;
  std::unordered_map<std::int32_t, symbolize::StackMemory> memories_;  // by tid
};

}  // namespace perfsift::analysis
