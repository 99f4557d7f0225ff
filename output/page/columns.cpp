#include "output/page/columns.h"

#include <algorithm>
#include <vector>

namespace perfsift::output {

Json Columns::add(std::span<const std::uint64_t> numbers) {
  Json column{{"count", numbers.size()}};
  const std::uint64_t first = numbers.empty() ? 0 : numbers.front();
  // A description is JSON, whose readers keep 53 bits.
  constexpr std::uint64_t most_in_json = std::uint64_t{1} << 53;
  if (first <= most_in_json && std::ranges::all_of(numbers, [&](std::uint64_t number) { return number == first; })) {
    column["all"] = first;
    return column;
  }
  std::uint64_t bits = 0;
  for (const std::uint64_t number : numbers) bits |= number;
  column["at"] = bytes_.size();
  int planes = 0;
  for (; bits >> (8 * planes) != 0; ++planes) {
    for (const std::uint64_t number : numbers) bytes_.push_back(static_cast<char>(number >> (8 * planes)));
    if (planes == 7) return column["planes"] = 8, column;
  }
  column["planes"] = planes;
  return column;
}

Json Columns::add_differences(std::span<const std::uint64_t> numbers) {
  std::vector<std::uint64_t> differences;
  differences.reserve(numbers.size());
  std::uint32_t last = 0;
  for (const std::uint64_t number : numbers) {
    const auto low = static_cast<std::uint32_t>(number);
    differences.push_back(low - last);
    last = low;
  }
  Json column = add(differences);
  column["differences"] = true;
  return column;
}

}  // namespace perfsift::output
