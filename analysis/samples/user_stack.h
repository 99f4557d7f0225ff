// Where the reader and the unwinder meet: the user's part of a sample's stack, from its registers and the copy of its
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
  symbolize::UnwindTables* tables = nullptr;    // nullptr: they are not
  const CodeVersions* code_versions = nullptr;  // nullptr: of all code that lay at an address the latest counts
  std::size_t max_frames = 127;                 // perf's own default
  // What the copy of a stack lacks is taken from earlier samples of the thread; samples must then come in the order of
  // their times.
  bool repair = false;
};

// The machine it was recorded on, as uname() names it. A recording that does not say is taken for one of this machine,
// as perf does (perf_env__raw_arch()).
std::string machine_of(const reader::Recording& recording);

// Unwinds the samples of one recording. Not thread-safe.
class UserStackUnwinder {
 public:
  UserStackUnwinder(const reader::Recording& recording, const UnwindOptions& options);

  // The user's part of its stack, leaf first; nullptr where the sample has no registers, or those of a processor whose
  // stacks nobody here unwinds. Valid until the next call.
  const symbolize::UnwoundStack* unwind(const reader::Sample& sample, reader::MapsVersion maps);

 private:
  std::uint64_t code_time(const reader::Sample& sample) const;
  symbolize::StackMemory& memory_of(std::int32_t tid);

  const reader::Recording& recording_;
  const UnwindOptions options_;
  std::string machine_;                            // empty until the first sample: of a stream it is not known before
  std::unique_ptr<symbolize::Unwinder> unwinder_;  // its tables are large: not before there is something to unwind
  symbolize::UnwoundStack stack_;
  std::unordered_map<std::int32_t, symbolize::StackMemory> memories_;  // by tid
};

}  // namespace perfsift::analysis
