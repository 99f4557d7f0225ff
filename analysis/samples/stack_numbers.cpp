#include "analysis/samples/stack_numbers.h"

#include <utility>

#include "base/hash.h"

namespace perfsift::analysis {

StackNumbers::Hash StackNumbers::hash_of(const StackContext& context, reader::Words words) {
  const std::uint64_t maps = std::uint64_t{context.maps} << 32 | context.kernel_maps;
  const std::uint64_t code = std::uint64_t{context.code_version} << 8 | static_cast<std::uint64_t>(context.mode);
  Hash hash{.place = mix(maps ^ odd_1, code ^ odd_2), .check = mix(maps ^ odd_2, code ^ odd_3)};
  for (const std::uint64_t word : words) {
    hash.place = mix(hash.place ^ word, odd_3);
    hash.check = mix(hash.check ^ word, odd_1);
  }
  return hash;
}

std::optional<std::uint32_t> StackNumbers::of(const Hash& hash) {
  Slot& slot = slot_of(hash);
  if (slot.next_number != 0) return slot.next_number - 1;
  if (count_ == most_stacks) return std::nullopt;
  const std::uint32_t number = count_++;
  slot = {.hash = hash, .next_number = count_};
  if (count_ > slots_.size() / 2) grow();
  return number;
}

StackNumbers::Slot& StackNumbers::slot_of(const Hash& hash) {
  for (std::size_t at = hash.place;; ++at) {
    Slot& slot = slots_[at & (slots_.size() - 1)];
    if (slot.next_number == 0 || slot.hash == hash) return slot;
  }
}

void StackNumbers::grow() {
  const LargeVector<Slot> old = std::exchange(slots_, LargeVector<Slot>(2 * slots_.size()));
  for (const Slot& slot : old) {
    if (slot.next_number != 0) slot_of(slot.hash) = slot;
  }
}

}  // namespace perfsift::analysis
