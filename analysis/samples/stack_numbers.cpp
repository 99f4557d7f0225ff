#include "analysis/samples/stack_numbers.h"

#include "analysis/samples/same_words.h"
#include "base/hash.h"

namespace perfsift::analysis {
namespace {

std::uint64_t hash_of(const StackContext& context, reader::Words words) {
  std::uint64_t hash = mix(std::uint64_t{context.maps} << 32 | context.kernel_maps, odd_1);
  hash = mix(hash ^ (std::uint64_t{context.code_version} << 8 | static_cast<std::uint64_t>(context.mode)), odd_2);
  for (const std::uint64_t word : words) hash = mix(hash ^ word, odd_3);
  return hash;
}

}  // namespace

std::optional<std::uint32_t> StackNumbers::of(const StackContext& context, reader::Words words) {
  const std::uint64_t hash = hash_of(context, words);
  std::uint32_t& slot = slot_of(hash, context, words);
  if (slot != 0) return slot - 1;
  if (stacks_.size() == most_stacks) return std::nullopt;
  stacks_.push_back({.hash = hash, .words = words, .context = context});
  slot = static_cast<std::uint32_t>(stacks_.size());
  if (stacks_.size() > slots_.size() / 2) grow();
  return static_cast<std::uint32_t>(stacks_.size() - 1);
}

std::uint32_t& StackNumbers::slot_of(std::uint64_t hash, const StackContext& context, reader::Words words) {
  for (std::size_t at = hash;; ++at) {
    std::uint32_t& slot = slots_[at % slots_.size()];
    if (slot == 0) return slot;
    const NumberedStack& numbered = stacks_[slot - 1];
    if (numbered.hash == hash && numbered.context == context && same_words(numbered.words, words)) return slot;
  }
}

void StackNumbers::grow() {
  slots_.assign(2 * slots_.size(), 0);
  for (std::uint32_t number = 0; number < stacks_.size(); ++number) {
    std::size_t at = stacks_[number].hash;
    while (slots_[at % slots_.size()] != 0) ++at;
    slots_[at % slots_.size()] = number + 1;
  }
}

}  // namespace perfsift::analysis
