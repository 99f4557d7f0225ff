#include "symbolize/elf/build_id.h"

#include <algorithm>

namespace perfsift::symbolize {

bool same_build(const BuildId& recorded, const BuildId& found) {
  if (found.empty() || found.size > recorded.size) return false;
  const auto tail = std::span(recorded.bytes).first(recorded.size).subspan(found.size);
  return std::equal(found.bytes.begin(), found.bytes.begin() + found.size, recorded.bytes.begin()) &&
         std::ranges::all_of(tail, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace perfsift::symbolize
