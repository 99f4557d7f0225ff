#include "output/page/columns.h"

#include <algorithm>
#include <atomic>

#include "base/share_work.h"

namespace perfsift::output {
namespace {

// Calls work(begin, end) for ranges of `count` numbers, on several threads where that is worth it.
template <typename Work>
void for_each_range(std::size_t count, unsigned threads, Work&& work) {
  constexpr std::size_t range = std::size_t{1} << 16;
  if (count <= range || threads == 1) return work(std::size_t{0}, count);
  for_each_task(threads, (count + range - 1) / range,
                [&](std::size_t i) { work(i * range, std::min(count, (i + 1) * range)); });
}

// How many bytes of numbers are in use.
int planes_of(std::uint64_t bits) {
  int planes = 0;
  while (planes < 8 && bits >> (8 * planes) != 0) ++planes;
  return planes;
}

}  // namespace

template <typename Number>
Json Columns::add_column(std::span<const Number> numbers) {
  Json column{{"count", numbers.size()}};
  const Number first = numbers.empty() ? 0 : numbers.front();
  std::atomic<Number> used = 0, different = 0;
  for_each_range(numbers.size(), threads_, [&](std::size_t begin, std::size_t end) {
    Number bits = 0, differences = 0;
    for (std::size_t i = begin; i < end; ++i) bits |= numbers[i], differences |= numbers[i] ^ first;
    used |= bits;
    different |= differences;
  });
  // A description is JSON, whose readers keep 53 bits.
  constexpr std::uint64_t most_in_json = std::uint64_t{1} << 53;
  if (different == 0 && std::uint64_t{first} <= most_in_json) {
    column["all"] = first;
    return column;
  }
  const std::size_t at = bytes_.size();
  const int planes = planes_of(used);
  column["at"] = at;
  column["planes"] = planes;
  bytes_.resize(at + static_cast<std::size_t>(planes) * numbers.size());
  for_each_range(numbers.size(), threads_, [&](std::size_t begin, std::size_t end) {
    for (int plane = 0; plane < planes; ++plane) {
      char* const to = bytes_.data() + at + static_cast<std::size_t>(plane) * numbers.size();
      for (std::size_t i = begin; i < end; ++i) to[i] = static_cast<char>(numbers[i] >> (8 * plane));
    }
  });
  return column;
}

Json Columns::add(std::span<const std::uint32_t> numbers) { return add_column(numbers); }
Json Columns::add(std::span<const std::uint64_t> numbers) { return add_column(numbers); }

Json Columns::add_differences(std::span<const std::uint32_t> numbers) {
  LargeVector<std::uint32_t> differences(numbers.size());
  for_each_range(numbers.size(), threads_, [&](std::size_t begin, std::size_t end) {
    std::uint32_t last = begin == 0 ? 0 : numbers[begin - 1];
    for (std::size_t i = begin; i < end; ++i) {
      differences[i] = numbers[i] - last;
      last = numbers[i];
    }
  });
  Json column = add_column(std::span<const std::uint32_t>(differences));
  column["differences"] = true;
  return column;
}

}  // namespace perfsift::output
