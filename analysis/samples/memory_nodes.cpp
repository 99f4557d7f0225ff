#include "analysis/samples/memory_nodes.h"

#include <bit>
#include <string_view>

#include "base/number_in.h"

namespace perfsift::analysis {
namespace {

// Calls take(first, last) for each range of a list as the kernel writes CPUs: "0-3,8". A malformed list ends early.
template <typename Take>
void for_each_range(std::string_view list, Take&& take) {
  while (const auto first = take_number<std::uint64_t>(list)) {
    std::uint64_t last = *first;
    if (list.starts_with('-')) {
      list.remove_prefix(1);
      const auto end = take_number<std::uint64_t>(list);
      if (!end) return;
      last = *end;
    }
    take(*first, last);
    if (!list.starts_with(',')) return;
    list.remove_prefix(1);
  }
}

}  // namespace

MemoryNodes::MemoryNodes(const reader::Features& features) {
  for (const reader::NumaNode& node : features.numa_nodes) {
    for_each_range(node.cpus, [&](std::uint64_t first, std::uint64_t last) {
      cpus_.push_back({.first = first, .last = last, .node = node.node});
    });
  }
  if (!features.memory_topology || features.memory_topology->block_size == 0) return;
  block_size_ = features.memory_topology->block_size;
  if (std::has_single_bit(block_size_)) block_shift_ = std::countr_zero(block_size_);
  for (const reader::MemoryNode& node : features.memory_topology->nodes) {
    blocks_.push_back({.node = static_cast<std::uint32_t>(node.node), .bitmap = node.bitmap});
  }
}

std::optional<std::uint32_t> MemoryNodes::of_cpu(std::int32_t cpu) const {
  if (cpu < 0) return std::nullopt;
  for (const Range& range : cpus_) {
    if (static_cast<std::uint64_t>(cpu) >= range.first && static_cast<std::uint64_t>(cpu) <= range.last)
      return range.node;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> MemoryNodes::of_physical(std::uint64_t address) const {
  constexpr unsigned bits_of_word = 64;
  if (address == 0 || block_size_ == 0) return std::nullopt;
  // Usually a power of two: a division would take longer than all the rest.
  const std::uint64_t block = block_shift_ ? address >> *block_shift_ : address / block_size_;
  for (const Blocks& blocks : blocks_) {
    const std::uint64_t word = block / bits_of_word;
    if (word < blocks.bitmap.size() && (blocks.bitmap[word] >> block % bits_of_word & 1) != 0) return blocks.node;
  }
  return std::nullopt;
}

}  // namespace perfsift::analysis
