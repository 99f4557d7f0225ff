#include "analysis/samples/user_stack.h"

#include <bit>
#include <cstddef>
#include <vector>

#include <sys/utsname.h>

#include "analysis/samples/user_state.h"

namespace perfsift::analysis {
namespace {

// All stack memories together take at most 256 MiB.
constexpr std::size_t memory_per_thread = std::size_t{64} << 10;
constexpr std::size_t most_memories = 4096;

// Bits of register masks: enum perf_event_arm_regs in arch/arm64/include/uapi/asm/perf_regs.h.
constexpr std::uint64_t arm64_lr = std::uint64_t{1} << 30, arm64_sp = std::uint64_t{1} << 31,
                        arm64_pc = std::uint64_t{1} << 32;

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
  unwind(sample, *state, maps);
  if (memory != nullptr && !stack_.frames.empty()) {
    memory->remember(stack_.frames.front().stack_pointer, sample.user_stack);
  }
  return &stack_;
}

bool UserStackUnwinder::has_link_register(const reader::Sample& sample) {
  if (!sample.has(reader::sample_bit::regs_user) || sample.has(reader::sample_bit::stack_user)) return false;
  if (machine_.empty()) machine_ = machine_of(recording_);
  const auto state = user_state(sample, machine_);
  return state && state->architecture == symbolize::Architecture::aarch64 && (state->register_mask & arm64_lr) != 0;
}

std::optional<std::uint64_t> UserStackUnwinder::caller_by_link_register(const reader::Sample& sample,
                                                                        std::uint64_t first, reader::MapsVersion maps) {
  if (!has_link_register(sample)) return std::nullopt;
  std::optional<symbolize::UserState> state = user_state(sample, machine_);
  // The rules of such a function need no stack pointer, but a frame has one.
  std::vector<Unaligned<std::uint64_t>> registers(state->registers.begin(), state->registers.end());
  if ((state->register_mask & arm64_sp) == 0) {
    const auto below = static_cast<std::ptrdiff_t>(std::popcount(state->register_mask & (arm64_sp - 1)));
    registers.insert(registers.begin() + below, 0);
  }
  if ((state->register_mask & arm64_pc) == 0) registers.emplace_back(first);
  state->register_mask |= arm64_sp | arm64_pc;
  state->registers = registers;
  const symbolize::UnwoundStack& stack = unwind(sample, *state, maps);
  if (stack.frames.size() < 2 || !stack.frames[1].return_address) return std::nullopt;
  return stack.frames[1].address;
}

const symbolize::UnwoundStack& UserStackUnwinder::unwind(const reader::Sample& sample,
                                                         const symbolize::UserState& state, reader::MapsVersion maps) {
  if (unwinder_ == nullptr) {
    unwinder_ = std::make_unique<symbolize::Unwinder>(options_.symbolizer->unwind_tables(),
                                                      symbolize::UnwindLimits{options_.max_frames});
  }
  unwinder_->unwind(state, TimelineSpace(recording_.timeline(), maps, code_time(sample)), stack_);
  return stack_;
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
