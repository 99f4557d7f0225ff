#include "analysis/collect/callchain_table.h"

#include <algorithm>
#include <mutex>

#include "base/copy_span.h"
#include "base/hash.h"

namespace perfsift::analysis {
namespace {

// Both halves of the hash depend on all words, each in a different way.
CallchainHash hash_of(const CallchainOwner& owner, reader::Words words) {
  const std::uint64_t who = mix(owner.comm ^ odd_1, (std::uint64_t{owner.maps} << 32 | owner.kernel_maps) ^ odd_2);
  const std::uint64_t ids =
      std::uint64_t{static_cast<std::uint32_t>(owner.pid)} << 32 | static_cast<std::uint32_t>(owner.tid);
  const std::uint64_t what = std::uint64_t{owner.code_version} << 39 | std::uint64_t{owner.tail} << 35 |
                             std::uint64_t{owner.event} << 7 | owner.note << 5 | owner.mode;
  std::uint64_t first = mix(who ^ ids, what ^ odd_3), second = mix(who ^ what, ids ^ odd_1);
  std::uint64_t third = odd_1, fourth = odd_2;  // four independent chains of multiplications
  std::size_t i = 0;
  for (; i + 4 <= words.size(); i += 4) {
    first = mix(words[i] ^ odd_1, words[i + 1] ^ first);
    second = mix(words[i] ^ odd_2, words[i + 1] ^ second);
    third = mix(words[i + 2] ^ odd_2, words[i + 3] ^ third);
    fourth = mix(words[i + 2] ^ odd_3, words[i + 3] ^ fourth);
  }
  for (; i < words.size(); ++i) {
    first = mix(words[i] ^ odd_3, first);
    second = mix(words[i] ^ odd_1, second);
  }
  return {.place = mix(first ^ words.size(), third ^ odd_2), .check = mix(second ^ words.size(), fourth ^ odd_1)};
}

using Shared = std::atomic_ref<std::uint64_t>;

}  // namespace

CallchainTable::CallchainTable(unsigned threads) : shared_(threads > 1), slots_(initial_slots, empty) {}
CallchainTable::~CallchainTable() = default;

CallchainTable::Counter& CallchainTable::new_counter(Counting counting) {
  const std::unique_lock growing(growing_);
  return counters_.emplace_back(*this, counting);
}

void CallchainTable::grow() {
  const std::unique_lock growing(growing_);
  if (!is_full()) return;  // another thread was faster
  slots_.assign(slots_.size() * (slots_.size() < large ? 4 : 2), empty);
  for (const Counter& counter : counters_) {
    for (const KnownCallchain& callchain : counter.callchains_) {
      std::size_t place = callchain.hash.place & mask();
      while (slots_[place] != empty) place = (place + 1) & mask();
      slots_[place] = slot_of(callchain);
    }
  }
}

std::vector<const KnownCallchain*> CallchainTable::callchains() const {
  std::vector<const KnownCallchain*> all(used_);
  for (const Counter& counter : counters_) {
    for (const KnownCallchain& callchain : counter.callchains_) all[callchain.number] = &callchain;
  }
  return all;
}

void CallchainTable::Counter::add(const CallchainOwner& owner, reader::Words words, bool lasting, std::uint32_t leaf,
                                  std::uint64_t value, std::uint32_t* counted) {
  if (!lasting) words = keep_for_batch(words);
  // Written in place, member by member: a processor would have to wait before it copies a sample of which the parts
  // have just been written. look_up() sets the other members.
  Added& sample = batch_[added_];
  sample.callchain.hash = hash_of(owner, words);
  sample.callchain.first_word = words.data();
  sample.callchain.word_count = static_cast<std::uint32_t>(words.size());
  sample.callchain.owner = owner;
  sample.leaf = leaf;
  sample.value = value;
  sample.counted = counted;
  sample.lasting = lasting;
  if (++added_ == batch_size) look_up_rest();
}

// Copies words that do not last until their batch has been looked up. The place of earlier copies must not change.
reader::Words CallchainTable::Counter::keep_for_batch(reader::Words words) {
  if (words_of_batch_.size() + words.size() > words_of_batch_.capacity()) {
    look_up_rest();
    words_of_batch_.reserve(std::max(words.size(), most_words));
  }
  const std::size_t begin = words_of_batch_.size();
  words_of_batch_.insert(words_of_batch_.end(), words.begin(), words.end());
  return reader::Words(words_of_batch_).subspan(begin);
}

void CallchainTable::Counter::look_up_rest() {
  look_up(std::span(batch_).first(added_));
  added_ = 0;
  words_of_batch_.clear();
}

void CallchainTable::Counter::look_up(std::span<Added> samples) {
  std::shared_lock use(table_.growing_, std::defer_lock);
  if (table_.shared_) use.lock();
  const std::size_t mask = table_.mask();
  std::uint64_t* const slots = table_.slots_.data();
  const auto slot_for = [&](const Added& sample) {
    return Shared(slots[sample.callchain.hash.place & mask]).load(std::memory_order_acquire);
  };
  for (const Added& sample : samples) __builtin_prefetch(&slots[sample.callchain.hash.place & mask]);
  for (const Added& sample : samples) {
    if (const std::uint64_t slot = slot_for(sample); slot != empty) __builtin_prefetch(&callchain_in(slot));
  }
  for (Added& sample : samples) {
    const KnownCallchain& known = find_or_insert(sample.callchain, sample.lasting);
    if (counting_ == Counting::later) {
      if (sample.counted != nullptr) *sample.counted = known.number;
      continue;
    }
    sample.callchain.number = known.number;
    sample.callchain.index = known.index;
    const bool is_own = known.index < callchains_.size() && &callchains_[known.index] == &known;
    sample.first_count = is_own ? &first_counts_[known.index] : nullptr;
    if (is_own) {
      __builtin_prefetch(sample.first_count);
    } else {
      other_counts_.prefetch_slot(known.number, sample.leaf);
    }
  }
  const bool full = table_.is_full();
  if (table_.shared_) use.unlock();
  if (full) table_.grow();
  if (counting_ == Counting::at_once) count(samples);
}

void CallchainTable::Counter::count(std::span<const Added> samples) {
  const auto is_first_leaf = [](const Added& sample) {
    return sample.first_count != nullptr &&
           (sample.first_count->amount.samples == 0 || sample.first_count->leaf == sample.leaf);
  };
  for (const Added& sample : samples) {
    if (!is_first_leaf(sample)) other_counts_.prefetch_count(sample.callchain.number, sample.leaf);
  }
  for (const Added& sample : samples) {
    CountId counted{.first = is_first_leaf(sample), .index = sample.callchain.index};
    if (counted.first != 0) {
      sample.first_count->leaf = sample.leaf;
      sample.first_count->amount += {.samples = 1, .value = sample.value};
    } else {
      const std::size_t index = count(sample.callchain.number, sample.leaf, {.samples = 1, .value = sample.value});
      counted.index = static_cast<std::uint32_t>(index);
    }
    if (sample.counted != nullptr) *sample.counted = counted.bits();
  }
}

const KnownCallchain& CallchainTable::Counter::find_or_insert(const KnownCallchain& sample, bool lasting) {
  KnownCallchain* mine = nullptr;  // other threads cannot see the entry until a slot holds its address
  for (std::size_t place = sample.hash.place & table_.mask();; place = (place + 1) & table_.mask()) {
    const Shared slot(table_.slots_[place]);
    std::uint64_t seen = slot.load(std::memory_order_acquire);
    if (seen == empty) {
      if (mine == nullptr) mine = &append(sample, lasting);
      if (slot.compare_exchange_strong(seen, slot_of(*mine), std::memory_order_acq_rel)) return *mine;
    }
    if (tag_of(seen) != tag_of(sample.hash.place)) continue;
    const KnownCallchain& candidate = callchain_in(seen);
    if (candidate.hash != sample.hash) continue;
    if (mine != nullptr) callchains_.pop_back(), first_counts_.pop_back();  // another thread was faster
    return candidate;
  }
}

KnownCallchain& CallchainTable::Counter::append(const KnownCallchain& sample, bool lasting) {
  KnownCallchain& added = callchains_.push_back(sample);
  added.number = table_.used_.fetch_add(1, std::memory_order_relaxed);
  added.index = static_cast<std::uint32_t>(callchains_.size() - 1);
  first_counts_.push_back({.callchain = added.number});
  if (!lasting) added.first_word = copy_span(sample.words(), copies_).data();
  return added;
}

}  // namespace perfsift::analysis
