#include "base/size_text.h"

#include <fmt/format.h>

namespace perfsift {

std::string size_text(std::uint64_t bytes) {
  constexpr char units[] = {'B', 'K', 'M', 'G'};
  std::size_t unit = 0;
  for (; bytes / 1024 > 1 && unit + 1 < sizeof units; ++unit) bytes /= 1024;
  return fmt::format("{}{}", bytes, units[unit]);
}

}  // namespace perfsift
