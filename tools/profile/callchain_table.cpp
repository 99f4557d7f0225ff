#include "tools/profile/callchain_table.h"

namespace perfsift::tools {
namespace {

__extension__ using Product = unsigned __int128;

// Folds the 128-bit product of two words into one: mixes as well as anything, in a few cycles.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const Product product = static_cast<Product>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t odd_1 = 0xa0761d6478bd642f, odd_2 = 0xe7037ed1a0b428db, odd_3 = 0x8ebc6af09c88c6e3;

std::uint64_t hash_of(const CallchainOwner& owner, reader::Words words) {
  std::uint64_t hash = mix(owner.comm ^ odd_1, (std::uint64_t{owner.maps} << 32 | owner.kernel_maps) ^ odd_2);
  hash = mix(hash ^ static_cast<std::uint32_t>(owner.pid), odd_3 ^ static_cast<std::uint32_t>(owner.tid));
  hash ^= std::uint64_t{owner.event} << 8 | owner.mode;
  std::size_t i = 0;
  std::uint64_t other = odd_1;  // two chains of multiplications at a time
  for (; i + 4 <= words.size(); i += 4) {
    hash = mix(words[i] ^ odd_1, words[i + 1] ^ hash);
    other = mix(words[i + 2] ^ odd_2, words[i + 3] ^ other);
  }
  for (; i < words.size(); ++i) hash = mix(words[i] ^ odd_3, hash);
  return mix(hash ^ words.size(), other ^ odd_2);
}

constexpr std::uint64_t index_mask = 0xffffffff;

}  // namespace

void CallchainTable::add(const CallchainOwner& owner, reader::Words words, bool lasting, std::uint64_t value) {
  const std::uint64_t hash = hash_of(owner, words);
  const CountedCallchain sample{.hash = hash, .words = words, .owner = owner, .samples = 1, .value = value};
  if (!lasting) return count(sample, Words::copied);
  __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  batch_.push_back(sample);
  if (batch_.size() == batch_size) look_up_batch();
}

void CallchainTable::count(const CountedCallchain& sample, Words words) {
  CountedCallchain& found = find_or_insert(sample, words);
  found.samples += sample.samples;
  found.value += sample.value;
}

void CallchainTable::look_up_batch() {
  for (const CountedCallchain& sample : batch_) {
    const std::uint64_t entry = slots_[sample.hash & (slots_.size() - 1)];
    if (entry != empty) __builtin_prefetch(&callchains_[entry & index_mask]);
  }
  for (const CountedCallchain& sample : batch_) {
    const std::uint64_t entry = slots_[sample.hash & (slots_.size() - 1)];
    if (entry != empty) prefetch(callchains_[entry & index_mask].words);
  }
  for (const CountedCallchain& sample : batch_) count(sample, Words::kept);
  batch_.clear();
}

// A new callchain starts with nothing counted.
CountedCallchain& CallchainTable::find_or_insert(const CountedCallchain& sample, Words words) {
  const std::uint64_t tag = sample.hash & ~index_mask;
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = sample.hash & mask;
  for (; slots_[slot] != empty; slot = (slot + 1) & mask) {
    if ((slots_[slot] & ~index_mask) != tag) continue;
    CountedCallchain& candidate = callchains_[slots_[slot] & index_mask];
    const bool same = candidate.owner == sample.owner && candidate.words.size() == sample.words.size() &&
                      std::memcmp(candidate.words.data(), sample.words.data(), sample.words.size_bytes()) == 0;
    if (same) return candidate;
  }
  slots_[slot] = tag | callchains_.size();
  callchains_.push_back({.hash = sample.hash, .words = sample.words, .owner = sample.owner});
  if (words == Words::copied) {
    callchains_.back().words = copies_.emplace_back(sample.words.begin(), sample.words.end());
  }
  if (callchains_.size() * 2 > slots_.size()) grow();
  return callchains_.back();
}

void CallchainTable::grow() {
  slots_.assign(slots_.size() * 4, empty);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < callchains_.size(); ++i) {
    const std::uint64_t hash = callchains_[i].hash;
    std::size_t slot = hash & mask;
    while (slots_[slot] != empty) slot = (slot + 1) & mask;
    slots_[slot] = (hash & ~index_mask) | i;
  }
}

}  // namespace perfsift::tools
