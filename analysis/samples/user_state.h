// The input of the unwinder: a sample's user registers and stack, and the mappings of its process.
#pragma once

#include <optional>
#include <string_view>

#include <sys/mman.h>

#include "reader/format/sample.h"
#include "reader/timeline/timeline.h"
#include "symbolize/unwind/unwinder.h"

namespace perfsift::analysis {

// An address space of the timeline, in the form that the unwinder needs.
class TimelineSpace : public symbolize::AddressSpace {
 public:
  // `code_time`: see CodeVersions::time_in().
  TimelineSpace(const reader::Timeline& timeline, reader::MapsVersion maps,
                std::uint64_t code_time = symbolize::SymbolFile::latest)
      : timeline_(timeline), maps_(maps), code_time_(code_time) {}

  std::uint32_t version() const override { return maps_; }
  std::optional<symbolize::MappedPart> find(std::uint64_t address) const override {
    const reader::Mapping* mapping = timeline_.find(maps_, address);
    if (mapping == nullptr || mapping->binary == CodeAddress::no_binary) return std::nullopt;
    return symbolize::MappedPart{.start = mapping->start,
                                 .end = mapping->end,
                                 .page_offset = mapping->to_offset(mapping->start),
                                 .binary = mapping->binary,
                                 .executable = (mapping->protection & PROT_EXEC) != 0};
  }
  const Binary& binary(std::uint32_t number) const override { return timeline_.binaries()[number]; }
  std::uint64_t code_time() const override { return code_time_; }

 private:
  const reader::Timeline& timeline_;
  const reader::MapsVersion maps_;
  const std::uint64_t code_time_;
};

// `machine`: see machine_of(). Nothing where the sample has no user registers or comes from a processor whose stacks
// cannot be unwound.
inline std::optional<symbolize::UserState> user_state(const reader::Sample& sample, std::string_view machine) {
  const auto architecture = symbolize::architecture_of(machine, sample.user_registers.abi);
  if (!architecture || sample.user_registers.values.empty()) return std::nullopt;
  return symbolize::UserState{.architecture = *architecture,
                              .register_mask = sample.user_registers.mask,
                              .registers = sample.user_registers.values,
                              .stack = sample.user_stack};
}

}  // namespace perfsift::analysis
