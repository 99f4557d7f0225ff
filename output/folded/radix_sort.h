// Sorting many small things by a number, without comparing them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace perfsift::output {

// Sorts by `item.*key`, stably. `scratch` is as large as `items`. One pass for each byte in which keys differ: with the
// few that differ in numbers close to each other, faster than comparing from some hundred items on.
template <typename Item>
void radix_sort(std::span<Item> items, std::span<Item> scratch, std::uint64_t Item::*key) {
  std::uint64_t different = 0;
  for (const Item& item : items) different |= item.*key ^ items.front().*key;

  std::span<Item> from = items, to = scratch.first(items.size());
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((different >> shift & 0xff) == 0) continue;
    std::array<std::size_t, 256> ends{};
    for (const Item& item : from) ++ends[item.*key >> shift & 0xff];
    std::size_t start = 0;
    for (std::size_t& end : ends) start += std::exchange(end, start);
    for (const Item& item : from) to[ends[item.*key >> shift & 0xff]++] = item;
    std::swap(from, to);
  }
  if (from.data() != items.data()) std::ranges::copy(from, items.begin());
}

}  // namespace perfsift::output
