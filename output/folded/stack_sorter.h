// Sorting ranked stacks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "output/folded/radix_sort.h"
#include "output/folded/ranked_stack.h"

namespace perfsift::output {

// Not thread-safe.
template <typename Rank>
class StackSorter {
 public:
  using Stack = RankedStack<Rank>;

  // In the order of their lines, equal ones added up. Valid until the next call.
  std::span<const Stack> sort(std::span<const Stack> stacks) {
    keys_.clear();
    sorted_.clear();
    for (const Stack& stack : stacks) keys_.push_back({.stack = &stack});
    scratch_.resize(keys_.size());
    if (!keys_.empty()) sort_from(0, keys_);
    return sorted_;
  }

 private:
  // What is moved when stacks are sorted.
  struct Key {
    std::uint64_t word = 0;  // the one that is sorted by
    const Stack* stack = nullptr;
  };
  using Keys = std::span<Key>;

  // Appends stacks that agree up to `at`, a place in their words, in their order.
  void sort_from(std::uint32_t at, Keys keys) {
    while (true) {
      if (keys.size() == 1) return append_as_one(keys);
      bool all_equal = true;
      for (Key& key : keys) {
        key.word = key.stack->word(at);
        all_equal &= key.word == keys.front().word;
      }
      if (!all_equal) break;
      if (RankWords<Rank>::ends(keys.front().word)) return append_as_one(keys);
      ++at;
    }
    if (keys.size() < worth_radix_sort) {
      std::ranges::sort(keys, {}, &Key::word);
    } else {
      radix_sort(keys, Keys(scratch_), &Key::word);
    }
    while (!keys.empty()) {
      const auto end = std::ranges::find_if(keys, [&](const Key& key) { return key.word != keys.front().word; });
      const auto size = static_cast<std::size_t>(end - keys.begin());
      if (RankWords<Rank>::ends(keys.front().word)) {
        append_as_one(keys.first(size));
      } else {
        sort_from(at + 1, keys.first(size));
      }
      keys = keys.subspan(size);
    }
  }

  void append_as_one(Keys equal) {
    sorted_.push_back(*equal.front().stack);
    for (const Key& other : equal.subspan(1)) sorted_.back().value += other.stack->value;
  }

  static constexpr std::size_t worth_radix_sort = 200;

  std::vector<Key> keys_, scratch_;
  std::vector<Stack> sorted_;
};

}  // namespace perfsift::output
