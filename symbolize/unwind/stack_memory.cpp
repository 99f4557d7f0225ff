#include "symbolize/unwind/stack_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perfsift::symbolize {

void StackMemory::remember(std::uint64_t stack_pointer, Bytes stack) {
  const std::size_t room = std::min<std::uint64_t>(max_bytes_, ~std::uint64_t{0} - stack_pointer);
  stack = stack.first(std::min(stack.size(), room));
  forget_below(stack_pointer + stack.size());
  if (stack.empty()) return;
  pieces_[stack_pointer] = {.bytes = {stack.begin(), stack.end()}, .learnt = ++samples_};
  bytes_ += stack.size();
  while (bytes_ > max_bytes_) forget_oldest();
}

void StackMemory::forget_below(std::uint64_t end) {
  while (!pieces_.empty() && pieces_.begin()->first < end) {
    auto lowest = pieces_.extract(pieces_.begin());
    auto& [bytes, learnt] = lowest.mapped();
    const std::uint64_t below = std::min<std::uint64_t>(bytes.size(), end - lowest.key());
    bytes_ -= below;
    if (below == bytes.size()) continue;
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(below));
    lowest.key() = end;
    pieces_.insert(std::move(lowest));
  }
}

void StackMemory::forget_oldest() {
  const auto oldest = std::ranges::min_element(pieces_, {}, [](const auto& piece) { return piece.second.learnt; });
  bytes_ -= oldest->second.bytes.size();
  pieces_.erase(oldest);
}

std::optional<std::uint64_t> StackMemory::read(std::uint64_t address, unsigned size) const {
  const auto after = pieces_.upper_bound(address);
  if (after == pieces_.begin() || size > sizeof(std::uint64_t)) return std::nullopt;
  const auto& [start, piece] = *std::prev(after);
  const std::uint64_t offset = address - start;
  if (offset >= piece.bytes.size() || piece.bytes.size() - offset < size) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, piece.bytes.data() + offset, size);
  return value;
}

}  // namespace perfsift::symbolize
