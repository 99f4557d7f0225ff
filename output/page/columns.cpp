#include "output/page/columns.h"

#include <algorithm>
#include <atomic>

#include "base/share_work.h"

namespace perfsift::output {
namespace {

// A description is JSON, whose readers keep 53 bits.
constexpr std::uint64_t most_in_json = std::uint64_t{1} << 53;

// Calls work(begin, end) for ranges of `count` numbers, on several threads where that is worth it.
template <typename Work>
void for_each_range(std::size_t count, unsigned threads, Work&& work) {
  constexpr std::size_t range = std::size_t{1} << 16;
  for_each_task(count <= range ? 1 : threads, (count + range - 1) / range,
                [&](std::size_t i) { work(i * range, std::min(count, (i + 1) * range)); });
}

// How many bytes of numbers are in use.
int planes_of(std::uint64_t bits) {
  int planes = 0;
  while (planes < 8 && bits >> (8 * planes) != 0) ++planes;
  return planes;
}

}  // namespace

Json Columns::add(std::span<const std::uint32_t> numbers) {
  return add_planes(numbers, bits_of(numbers), GzipContent::text);
}

Json Columns::add(std::span<const std::uint64_t> numbers) {
  return add_planes(numbers, bits_of(numbers), GzipContent::text);
}

Json Columns::add_differences(std::span<const std::uint32_t> numbers) {
  const auto copy = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t* to) {
    std::ranges::copy(numbers.subspan(begin, end - begin), to);
  };
  return add_differences(static_cast<std::uint32_t>(numbers.size()), copy, GzipContent::text);
}

Json Columns::add_equal(std::uint32_t count, std::uint64_t number) {
  if (count != 0 && number > most_in_json) return add(std::vector<std::uint64_t>(count, number));
  return {{"count", count}, {"all", count != 0 ? number : 0}};
}

template <typename Number>
Json Columns::add(std::uint32_t count, const Fill<Number>& fill, GzipContent content) {
  UnsetVector<Number> numbers(count);
  for_each_range(count, threads_, [&](std::size_t begin, std::size_t end) {
    fill(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), numbers.data() + begin);
  });
  const std::span<const Number> filled(numbers);
  return add_planes(filled, bits_of(filled), content);
}

template Json Columns::add(std::uint32_t count, const Fill<std::uint32_t>& fill, GzipContent content);
template Json Columns::add(std::uint32_t count, const Fill<std::uint64_t>& fill, GzipContent content);

Json Columns::add_differences(std::uint32_t count, const Fill<std::uint32_t>& fill, GzipContent content) {
  const auto fill_differences = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t* to) {
    std::uint32_t last = 0;
    if (begin != 0) fill(begin - 1, begin, &last);
    fill(begin, end, to);
    for (std::uint32_t i = 0; i < end - begin; ++i) {
      const std::uint32_t number = to[i];
      to[i] = number - last;
      last = number;
    }
  };
  Json column = add<std::uint32_t>(count, fill_differences, content);
  column["differences"] = true;
  return column;
}

template <typename Number>
Columns::Bits<Number> Columns::bits_of(std::span<const Number> numbers) const {
  const Number first = numbers.empty() ? 0 : numbers.front();
  std::atomic<Number> used = 0, different = 0;
  for_each_range(numbers.size(), threads_, [&](std::size_t begin, std::size_t end) {
    Bits<Number> bits;
    for (std::size_t i = begin; i < end; ++i) bits.used |= numbers[i], bits.different |= numbers[i] ^ first;
    used |= bits.used;
    different |= bits.different;
  });
  return {.used = used, .different = different};
}

template <typename Number>
Json Columns::add_planes(std::span<const Number> numbers, const Bits<Number>& bits, GzipContent content) {
  Json column{{"count", numbers.size()}};
  const Number first = numbers.empty() ? 0 : numbers.front();
  if (bits.different == 0 && std::uint64_t{first} <= most_in_json) {
    column["all"] = first;
    return column;
  }
  const int planes = planes_of(bits.used);
  column["at"] = size_;
  column["planes"] = planes;
  UnsetVector<char>& bytes = columns_.emplace_back(static_cast<std::size_t>(planes) * numbers.size());
  for_each_range(numbers.size(), threads_, [&](std::size_t begin, std::size_t end) {
    for (int plane = 0; plane < planes; ++plane) {
      char* const to = bytes.data() + static_cast<std::size_t>(plane) * numbers.size();
      for (std::size_t i = begin; i < end; ++i) to[i] = static_cast<char>(numbers[i] >> (8 * plane));
    }
  });
  parts_.push_back({.bytes = {bytes.data(), bytes.size()}, .content = content});
  size_ += bytes.size();
  return column;
}

}  // namespace perfsift::output
