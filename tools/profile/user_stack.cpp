#include "tools/profile/user_stack.h"

#include <sys/mman.h>
#include <sys/utsname.h>

namespace perfsift::tools {
namespace {

// Together at most a quarter of a gigabyte.
constexpr std::size_t memory_per_thread = std::size_t{64} << 10;
constexpr std::size_t most_memories = 4096;

// An address space of a Timeline as the unwinder asks for it.
class TimelineSpace : public symbolize::AddressSpace {
 public:
  TimelineSpace(const reader::Timeline& timeline, reader::MapsVersion maps) : timeline_(timeline), maps_(maps) {}

  std::uint32_t version() const override { return maps_; }
  std::optional<symbolize::MappedPart> find(std::uint64_t address) const override {
    const reader::Mapping* mapping = timeline_.find(maps_, address);
    if (mapping == nullptr || mapping->binary == CodeAddress::no_binary) return std::nullopt;
    return symbolize::MappedPart{.start = mapping->start,
                                 .end = mapping->end,
                                 .page_offset = mapping->page_offset,
                                 .binary = mapping->binary,
                                 .executable = (mapping->protection & PROT_EXEC) != 0};
  }
  const Binary& binary(std::uint32_t number) const override { return timeline_.binaries()[number]; }

 private:
  const reader::Timeline& timeline_;
  const reader::MapsVersion maps_;
};

}  // namespace

std::string machine_of(const reader::Recording& recording) {
  if (!recording.features().arch.empty()) return recording.features().arch;
  utsname names{};
  return uname(&names) == 0 ? names.machine : "";
}

UserStackUnwinder::UserStackUnwinder(const reader::Recording& recording, const UnwindOptions& options)
    : recording_(recording), repair_(options.repair), unwinder_(*options.tables, {.max_frames = options.max_frames}) {}

const symbolize::UnwoundStack* UserStackUnwinder::unwind(const reader::Sample& sample, reader::MapsVersion maps) {
  std::optional<symbolize::UserState> state = state_of(sample);
  if (!state) return nullptr;
  symbolize::StackMemory* const memory = repair_ ? &memory_of(sample.tid) : nullptr;
  state->earlier = memory;
  unwinder_.unwind(*state, TimelineSpace(recording_.timeline(), maps), stack_);
  if (memory != nullptr && !stack_.frames.empty()) {
    memory->remember(stack_.frames.front().stack_pointer, sample.user_stack);
  }
  return &stack_;
}

std::optional<symbolize::UserState> UserStackUnwinder::state_of(const reader::Sample& sample) {
  if (!sample.has(reader::sample_bit::stack_user) || sample.user_registers.values.empty()) return std::nullopt;
  if (machine_.empty()) machine_ = machine_of(recording_);
  const auto architecture = symbolize::architecture_of(machine_, sample.user_registers.abi);
  if (!architecture) return std::nullopt;
  return symbolize::UserState{.architecture = *architecture,
                              .register_mask = sample.user_registers.mask,
                              .registers = sample.user_registers.values,
                              .stack = sample.user_stack};
}

symbolize::StackMemory& UserStackUnwinder::memory_of(std::int32_t tid) {
  if (memories_.size() >= most_memories && !memories_.contains(tid)) memories_.clear();
  return memories_.try_emplace(tid, memory_per_thread).first->second;
}

}  // namespace perfsift::tools
