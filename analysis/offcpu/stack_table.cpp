#include "analysis/offcpu/stack_table.h"

#include "analysis/samples/same_words.h"
#include "base/copy_span.h"
#include "base/hash.h"

namespace perfsift::offcpu {
namespace {

std::uint64_t hash_of(const StackOwner& owner, reader::Words words) {
  const std::uint64_t who = std::uint64_t{owner.comm} << 32 | static_cast<std::uint32_t>(owner.tid);
  const std::uint64_t space = std::uint64_t{owner.maps} << 32 | owner.kernel_maps;
  std::uint64_t hash = mix(who ^ odd_1, space ^ odd_2) ^ owner.code_version << 8 ^ static_cast<unsigned>(owner.mode);
  std::size_t i = 0;
  // Two independent chains of multiplications, because each multiplication waits for the one before.
  std::uint64_t other = odd_2;
  for (; i + 4 <= words.size(); i += 4) {
    hash = mix(words[i] ^ odd_1, words[i + 1] ^ hash);
    other = mix(words[i + 2] ^ odd_1, words[i + 3] ^ other);
  }
  hash ^= other;
  for (; i + 2 <= words.size(); i += 2) hash = mix(words[i] ^ odd_1, words[i + 1] ^ hash);
  if (i < words.size()) hash = mix(words[i] ^ odd_2, hash);
  return mix(hash ^ words.size(), odd_1);
}

}  // namespace

bool StackTable::same(const Stack& stack, const StackOwner& owner, reader::Words words) {
  return stack.owner == owner && analysis::same_words(stack.words(), words);
}

StackId StackTable::intern(const StackOwner& owner, reader::Words words, bool lasting, StackId guess) {
  if (guess != no_stack && guess <= stacks_->size() && same((*stacks_)[guess - 1], owner, words)) return guess;
  Stack stack{.hash = hash_of(owner, words),
              .first_word = words.data(),
              .word_count = static_cast<std::uint32_t>(words.size()),
              .owner = owner};
  const auto tag = static_cast<std::uint32_t>(stack.hash >> 32);
  std::size_t place = stack.hash & (slots_.size() - 1);
  for (; slots_[place].id != no_stack; place = (place + 1) & (slots_.size() - 1)) {
    if (slots_[place].tag != tag) continue;
    const Stack& known = (*stacks_)[slots_[place].id - 1];
    if (known.hash == stack.hash && same(known, owner, words)) return slots_[place].id;
  }
  if (!lasting) stack.first_word = copy_span(words, copies_).data();
  stacks_->push_back(stack);
  const auto id = static_cast<StackId>(stacks_->size());
  slots_[place] = {.tag = tag, .id = id};
  if (stacks_->size() * 2 > slots_.size()) grow();
  return id;
}

void StackTable::forget() {
  slots_.assign(initial_slots, Slot());
  stacks_ = std::make_unique<StableVector<Stack>>();
  copies_.release();
}

void StackTable::grow() {
  slots_.assign(slots_.size() * 4, Slot());
  for (StackId id = 1; id <= stacks_->size(); ++id) {
    const std::uint64_t hash = (*stacks_)[id - 1].hash;
    std::size_t place = hash & (slots_.size() - 1);
    while (slots_[place].id != no_stack) place = (place + 1) & (slots_.size() - 1);
    slots_[place] = {.tag = static_cast<std::uint32_t>(hash >> 32), .id = id};
  }
}

}  // namespace perfsift::offcpu
