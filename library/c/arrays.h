// Arrays for C, and how they are found by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "library/c/boundary.h"

namespace perfsift::v0::detail {

inline perfsift_array array_of(const void* data, std::size_t count, int type) {
  static const std::uint64_t nothing = 0;
  return {.data = count != 0 ? data : &nothing, .count = count, .type = type};
}
inline perfsift_array array_of(std::span<const std::uint8_t> values) {
  return array_of(values.data(), values.size(), PERFSIFT_UINT8);
}
inline perfsift_array array_of(std::span<const std::int32_t> values) {
  return array_of(values.data(), values.size(), PERFSIFT_INT32);
}
inline perfsift_array array_of(std::span<const std::uint32_t> values) {
  return array_of(values.data(), values.size(), PERFSIFT_UINT32);
}
inline perfsift_array array_of(std::span<const std::uint64_t> values) {
  return array_of(values.data(), values.size(), PERFSIFT_UINT64);
}
inline perfsift_array array_of(std::string_view bytes) { return array_of(bytes.data(), bytes.size(), PERFSIFT_UINT8); }

// The value of a table with this name. Throws Error (usage): NULL, or no such name.
template <typename Value>
const Value& value_named(const std::map<std::string_view, Value>& table, const char* name) {
  require(name, "name");
  const auto found = table.find(name);
  if (found != table.end()) return found->second;
  std::string all;
  for (const auto& [known, value] : table) all.append(all.empty() ? "" : ", ").append(known);
  throw Error(ErrorCode::usage, "'" + std::string(name) + "': there is no such array; there are " + all);
}

}  // namespace perfsift::v0::detail
