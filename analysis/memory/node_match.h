// Whether an access stayed on its node.
#pragma once

#include <cstdint>
#include <optional>

namespace perfsift::analysis {

// Whether the CPU of an access and the page of its data are on the same node of the machine.
enum class NodeMatch : std::uint8_t { unknown, own, other };

inline NodeMatch match_of(const std::optional<std::uint32_t>& data, const std::optional<std::uint32_t>& cpu) {
  if (!data || !cpu) return NodeMatch::unknown;
  return *data == *cpu ? NodeMatch::own : NodeMatch::other;
}

}  // namespace perfsift::analysis
