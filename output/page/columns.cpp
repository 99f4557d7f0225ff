#include "output/page/columns.h"

#include <algorithm>
#include <mutex>

#include "base/share_work.h"

namespace perfsift::output {
namespace {

// A description is JSON, whose readers keep 53 bits.
constexpr std::uint64_t most_in_json = std::uint64_t{1} << 53;

constexpr std::size_t numbers_of_range = std::size_t{1} << 16;

std::size_t ranges_of(std::size_t count) { return (count + numbers_of_range - 1) / numbers_of_range; }

// Calls work(begin, end) for ranges of `count` numbers, on several threads where that is worth it.
template <typename Work>
void for_each_range(std::size_t count, unsigned threads, Work&& work) {
  for_each_task(count <= numbers_of_range ? 1 : threads, ranges_of(count),
                [&](std::size_t i) { work(i * numbers_of_range, std::min(count, (i + 1) * numbers_of_range)); });
}

template <typename Number>
bool needs_more(Number number, unsigned bytes) {
  return bytes < sizeof(Number) && number >> (8 * bytes) != 0;
}

}  // namespace

Json Columns::add(std::span<const std::uint32_t> numbers) {
  return add_planes(numbers, survey(numbers), GzipContent::text);
}

Json Columns::add(std::span<const std::uint64_t> numbers) {
  return add_planes(numbers, survey(numbers), GzipContent::text);
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
  UnsetVector<Number>& numbers = scratch<Number>();
  numbers.resize(count);
  Survey<Number> found;
  std::mutex mutex;
  for_each_range(count, threads_, [&](std::size_t begin, std::size_t end) {
    Number* const from = numbers.data() + begin;
    fill(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), from);
    Survey<Number> of_range;
    of_range.add(std::span<const Number>(from, end - begin));
    const std::lock_guard lock(mutex);
    found.add(of_range);
  });
  return add_planes(std::span<const Number>(numbers), found, content);
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
UnsetVector<Number>& Columns::scratch() {
  if constexpr (sizeof(Number) == sizeof(std::uint32_t)) {
    return words_;
  } else {
    return long_words_;
  }
}

template <typename Number>
void Columns::Survey<Number>::add(std::span<const Number> numbers) {
  for (const Number number : numbers) any |= number, all &= number;
  for (unsigned bytes = 0; bytes < more.size() && needs_more(any, bytes); ++bytes) {
    const Number most = static_cast<Number>((Number{1} << (8 * bytes)) - 1);
    for (const Number number : numbers) more[bytes] += number > most ? 1 : 0;
  }
}

template <typename Number>
void Columns::Survey<Number>::add(const Survey& other) {
  any |= other.any;
  all &= other.all;
  for (std::size_t bytes = 0; bytes < more.size(); ++bytes) more[bytes] += other.more[bytes];
}

template <typename Number>
unsigned Columns::Survey<Number>::planes(std::size_t count) const {
  constexpr std::size_t few = 128;  // one number in 128
  return static_cast<unsigned>(std::ranges::find_if(more, [&](std::size_t number) { return number <= count / few; }) -
                               more.begin());
}

template <typename Number>
Columns::Survey<Number> Columns::survey(std::span<const Number> numbers) const {
  Survey<Number> found;
  found.add(numbers);
  return found;
}

template <typename Number>
Json Columns::add_planes(std::span<const Number> numbers, const Survey<Number>& survey, GzipContent content) {
  Json column{{"count", numbers.size()}};
  const Number first = numbers.empty() ? 0 : numbers.front();
  if ((numbers.empty() || survey.any == survey.all) && std::uint64_t{first} <= most_in_json) {
    column["all"] = first;
    return column;
  }
  const unsigned planes = survey.planes(numbers.size());
  column["at"] = size_;
  column["planes"] = planes;
  UnsetVector<char>& bytes = columns_.emplace_back(std::size_t{planes} * numbers.size());
  const bool has_large = needs_more(survey.any, planes);
  std::vector<Large<Number>> large(has_large ? ranges_of(numbers.size()) : 0);
  for_each_range(numbers.size(), threads_, [&](std::size_t begin, std::size_t end) {
    for (unsigned plane = 0; plane < planes; ++plane) {
      char* const to = bytes.data() + plane * numbers.size();
      for (std::size_t i = begin; i < end; ++i) to[i] = static_cast<char>(numbers[i] >> (8 * plane));
    }
    if (has_large) large[begin / numbers_of_range].find(numbers, begin, end, planes);
  });
  parts_.push_back({.bytes = {bytes.data(), bytes.size()}, .content = content});
  size_ += bytes.size();
  if (has_large) {
    for (std::size_t range = 1; range < large.size(); ++range) large.front().append(large[range]);
    const auto& [places, values] = large.front();
    column["large"] = {{"place", add_differences(places)}, {"number", add(values)}};
  }
  return column;
}

template <typename Number>
void Columns::Large<Number>::find(std::span<const Number> all, std::size_t begin, std::size_t end, unsigned planes) {
  for (std::size_t i = begin; i < end; ++i) {
    if (!needs_more(all[i], planes)) continue;
    places.push_back(static_cast<std::uint32_t>(i));
    numbers.push_back(all[i]);
  }
}

template <typename Number>
void Columns::Large<Number>::append(const Large& behind) {
  places.insert(places.end(), behind.places.begin(), behind.places.end());
  numbers.insert(numbers.end(), behind.numbers.begin(), behind.numbers.end());
}

}  // namespace perfsift::output
