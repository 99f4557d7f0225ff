// Connects the reader and the unwinder: the user part of a sample's stack, from its registers and the copy of its
// stack.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "analysis/samples/code_versions.h"
#include "reader/recording.h"
#include "symbolize/unwind/stack_memory.h"
#include "symbolize/unwind/unwinder.h"

namespace perfsift::analysis {

// How stacks are unwound.
struct UnwindOptions {
  symbolize::UnwindTables* tables = nullptr;    // nullptr: stacks are not unwound
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

 private:
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
