#include "symbolize/unwind/unwinder.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <perfsift/unwinder.h>
#include <sys/mman.h>

#include "library/access.h"
#include "library/symbolizer_state.h"
#include "library/translated.h"
#include "reader/timeline/user_names.h"

namespace perfsift::v0 {
namespace detail {
namespace {

// The mappings of one process, which do not change.
class FixedSpace : public symbolize::AddressSpace {
 public:
  explicit FixedSpace(std::span<const Mapping> mappings) {
    for (const Mapping& mapping : mappings) add(mapping);
    std::ranges::sort(parts_, {}, &symbolize::MappedPart::start);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const bool overlaps = i + 1 < parts_.size() && parts_[i].end > parts_[i + 1].start;
      if (parts_[i].start >= parts_[i].end || overlaps) {
        throw Error(ErrorCode::usage, "mappings: one overlaps the next, or ends before it starts");
      }
    }
  }

  std::uint32_t version() const override { return 1; }
  std::optional<symbolize::MappedPart> find(std::uint64_t address) const override {
    const auto after = std::ranges::upper_bound(parts_, address, {}, &symbolize::MappedPart::start);
    if (after == parts_.begin() || address >= std::prev(after)->end) return std::nullopt;
    return *std::prev(after);
  }
  const Binary& binary(std::uint32_t number) const override { return binaries_[number]; }

 private:
  void add(const Mapping& mapping) {
    Binary binary;
    binary.path = mapping.path;
    binary.build_id = BuildId::from_hex(mapping.build_id);
    binary.kind = reader::user_name_kind(mapping.path);
    if (binary.kind == BinaryKind::elf && !binary.path.starts_with('/')) binary.kind = BinaryKind::anonymous;
    parts_.push_back({.start = mapping.start,
                      .end = mapping.end,
                      .page_offset = mapping.page_offset,
                      .binary = static_cast<std::uint32_t>(binaries_.size()),
                      .executable = (mapping.protection & PROT_EXEC) != 0});
    binaries_.push_back(std::move(binary));
  }

  std::vector<symbolize::MappedPart> parts_;  // ascending
  std::vector<Binary> binaries_;
};

StackEnd public_end(symbolize::StackEnd end) {
  switch (end) {
    case symbolize::StackEnd::complete:
      return StackEnd::complete;
    case symbolize::StackEnd::truncated:
      return StackEnd::truncated;
    case symbolize::StackEnd::max_frames:
      return StackEnd::max_frames;
    case symbolize::StackEnd::no_cfi:
      return StackEnd::no_rules;
    case symbolize::StackEnd::not_mapped:
      return StackEnd::not_mapped;
    case symbolize::StackEnd::lost_register:
    case symbolize::StackEnd::bad_stack:
    case symbolize::StackEnd::bad_cfi:
      return StackEnd::broken;
    case symbolize::StackEnd::no_registers:
      return StackEnd::no_registers;
  }
  return StackEnd::broken;
}

}  // namespace

struct UnwinderState {
  UnwinderState(std::shared_ptr<SymbolizerState> names, std::span<const Mapping> mappings, std::size_t max_frames)
      : symbolizer(std::move(names)),
        space(mappings),
        unwinder(symbolizer->symbolizer.unwind_tables(), symbolize::UnwindLimits{max_frames}) {}

  const std::shared_ptr<SymbolizerState> symbolizer;
  const FixedSpace space;
  symbolize::Unwinder unwinder;
  symbolize::UnwoundStack stack;
};

}  // namespace detail

Unwinder::Unwinder(const Symbolizer& symbolizer, std::span<const Mapping> mappings, std::size_t max_frames)
    : state_(detail::translated([&] {
        return std::make_unique<detail::UnwinderState>(detail::Access::of(symbolizer), mappings, max_frames);
      })) {}
Unwinder::~Unwinder() = default;

UnwoundStack Unwinder::unwind(const UnwindState& state) {
  return detail::translated([&] {
    if (state.architecture > Architecture::aarch64) throw Error(ErrorCode::usage, "architecture: no such value");
    if (static_cast<std::size_t>(std::popcount(state.register_mask)) != state.registers.size()) {
      throw Error(ErrorCode::usage, "registers: there must be one for each bit of register_mask");
    }
    const std::vector<Unaligned<std::uint64_t>> registers(state.registers.begin(), state.registers.end());
    state_->unwinder.unwind({.architecture = static_cast<symbolize::Architecture>(state.architecture),
                             .register_mask = state.register_mask,
                             .registers = registers,
                             .stack = state.stack},
                            state_->space, state_->stack);
    UnwoundStack stack{.addresses = {}, .end = detail::public_end(state_->stack.end)};
    for (const symbolize::Frame& frame : state_->stack.frames) stack.addresses.push_back(frame.address);
    return stack;
  });
}

}  // namespace perfsift::v0
