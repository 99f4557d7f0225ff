#include "analysis/samples/user_stack.h"

#include <sys/utsname.h>

#include "analysis/samples/user_state.h"

namespace perfsift::analysis {
namespace {

// All stack memories together take at most 256 MiB.
constexpr std::size_t memory_per_thread = std::size_t{64} << 10;
constexpr std::size_t most_memories = 4096;

}  // namespace

std::string machine_of(const reader::Recording& recording) {
  if (!recording.features().arch.empty()) return recording.features().arch;
  utsname names{};
  return uname(&names) == 0 ? names.machine : "";
}

UserStackUnwinder::UserStackUnwinder(const reader::Recording& recording, const UnwindOptions& options)
    : recording_(recording), options_(options) {}

const symbolize::UnwoundStack* UserStackUnwinder::unwind(const reader::Sample& sample, reader::MapsVersion maps) {
  if (!sample.has(reader::sample_bit::stack_user)) return nullptr;
  if (machine_.empty()) machine_ = machine_of(recording_);
  std::optional<symbolize::UserState> state = user_state(sample, machine_);
  if (!state) return nullptr;
  symbolize::StackMemory* const memory = options_.repair ? &memory_of(sample.tid) : nullptr;
  state->earlier = memory;
  if (unwinder_ == nullptr) {
    unwinder_ = std::make_unique<symbolize::Unwinder>(*options_.tables, symbolize::UnwindLimits{options_.max_frames});
  }
  unwinder_->unwind(*state, TimelineSpace(recording_.timeline(), maps, code_time(sample)), stack_);
  if (memory != nullptr && !stack_.frames.empty()) {
    memory->remember(stack_.frames.front().stack_pointer, sample.user_stack);
  }
  return &stack_;
}

std::uint64_t UserStackUnwinder::code_time(const reader::Sample& sample) const {
  const CodeVersions* const versions = options_.code_versions;
  return versions == nullptr ? symbolize::SymbolFile::latest : versions->time_in(versions->at(sample.time));
}

symbolize::StackMemory& UserStackUnwinder::memory_of(std::int32_t tid) {
  if (memories_.size() >= most_memories && !memories_.contains(tid)) memories_.clear();
  return memories_.try_emplace(tid, memory_per_thread).first->second;
}

}  // namespace perfsift::analysis
