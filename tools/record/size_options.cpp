#include "tools/record/size_options.h"

#include <array>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/number_in.h"
#include "base/page_size.h"
#include "record/machine/number_text.h"

namespace perfsift::tools {
namespace {

constexpr std::array time_units{TimeUnit{"s", one_second},         TimeUnit{"ms", 1'000'000},
                                TimeUnit{"m", 60 * one_second},    TimeUnit{"h", 3600 * one_second},
                                TimeUnit{"d", 86400 * one_second}, TimeUnit{"", one_second}};

}  // namespace

std::optional<std::uint64_t> size_in(std::string_view text) {
  const std::uint64_t number = take_number<std::uint64_t>(text).value_or(0);
  if (number == 0 || text.size() != 1) return std::nullopt;
  constexpr std::string_view units = "BKMG", small_units = "bkmg";
  std::size_t power = units.find(text);
  if (power == std::string_view::npos) power = small_units.find(text);
  if (power == std::string_view::npos || number > std::numeric_limits<std::uint64_t>::max() >> 10 * power)
    return std::nullopt;
  return number << 10 * power;
}

std::size_t ring_bytes_in(std::string_view text, const std::string& option) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  const std::uint64_t page = page_size();
  const auto pages = number_in<std::uint64_t>(text);
  const std::uint64_t bytes = pages && *pages <= most / page ? *pages * page : size_in(text).value_or(0);
  if (bytes == 0 || bytes > most)
    throw UsageError("--mmap-pages " + option + ": a number of pages, or a size such as 4M, is needed");
  return static_cast<std::size_t>(bytes);
}

std::vector<unsigned> cpus_in(const std::string& text) {
  auto cpus = record::read_number_list(text);
  if (!cpus || cpus->empty()) throw UsageError("--cpu " + text + ": a list such as 0-3,8 is needed");
  return std::move(*cpus);
}

std::span<const TimeUnit> time_units_with_names() { return std::span(time_units).first(time_units.size() - 1); }

std::chrono::nanoseconds longest_in(const std::string& text) {
  const auto time = parse_duration(text, time_units);
  if (!time || *time == 0) throw UsageError("--max-time " + text + ": a time such as 30s is needed");
  return std::chrono::nanoseconds(*time);
}

}  // namespace perfsift::tools
