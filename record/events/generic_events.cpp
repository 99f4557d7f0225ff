#include "record/events/generic_events.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/lower_case.h"
#include "reader/format/abi.h"
#include "reader/format/event_names.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

using reader::cache_operations;
using reader::cache_results;
using reader::event_caches;

namespace {

struct OtherName {
  std::string_view name;
  GenericEvent event;
};

// Second names (event_symbols_hw and event_symbols_sw in tools/perf/util/parse-events.c), and software events that perf
// does not name when it reads.
constexpr std::array other_names{
    OtherName{"cpu-cycles", {reader::event_type::hardware, 0}},
    OtherName{"branch-instructions", {reader::event_type::hardware, 4}},
    OtherName{"idle-cycles-frontend", {reader::event_type::hardware, 7}},
    OtherName{"idle-cycles-backend", {reader::event_type::hardware, 8}},
    OtherName{"faults", {reader::event_type::software, 2}},
    OtherName{"cs", {reader::event_type::software, 3}},
    OtherName{"migrations", {reader::event_type::software, 4}},
    OtherName{"bpf-output", {reader::event_type::software, reader::software_event::bpf_output}},
    OtherName{"cgroup-switches", {reader::event_type::software, 11}},
};

std::optional<std::size_t> index_in(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

// Removes the longest of the words from the front of `text`, up to a dash or the end; gives the row of that word.
template <typename Rows>
std::optional<std::size_t> take_word(std::string_view& text, const Rows& rows) {
  std::size_t row = 0, length = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string_view word : rows[i]) {
      const bool whole = text.size() == word.size() || (text.size() > word.size() && text[word.size()] == '-');
      if (word.size() > length && whole && lower_case(text.substr(0, word.size())) == lower_case(word))
        row = i, length = word.size();
    }
  }
  if (length == 0) return std::nullopt;
  text.remove_prefix(std::min(length + 1, text.size()));
  return row;
}

constexpr auto cache_words = [] {
  std::array<reader::CacheWords, event_caches.size()> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = event_caches[i].names;
  return words;
}();

// CACHE[-OPERATION][-RESULT], the two in any order: without an operation a load, without a result every access.
// parse_events__decode_legacy_cache() in tools/perf/util/parse-events.c.
std::optional<std::uint64_t> cache_config(std::string_view name) {
  if (name.ends_with('-')) return std::nullopt;
  const auto cache = take_word(name, cache_words);
  if (!cache) return std::nullopt;
  std::optional<std::size_t> operation, result;
  while (!name.empty()) {
    if (!operation && (operation = take_word(name, cache_operations))) continue;
    if (!result && (result = take_word(name, cache_results))) continue;
    return std::nullopt;
  }
  if (!event_caches[*cache].has(operation.value_or(0))) return std::nullopt;
  return *cache | operation.value_or(0) << 8 | result.value_or(0) << 16;
}

void add_cache_names(std::vector<std::string>& names) {
  for (const auto& cache : event_caches) {
    for (std::size_t operation = 0; operation < cache_operations.size(); ++operation) {
      if (!cache.has(operation)) continue;
      names.push_back(fmt::format("{}-{}", cache.names[0], cache_operations[operation][1]));
      names.push_back(fmt::format("{}-{}-{}", cache.names[0], cache_operations[operation][0], cache_results[1][0]));
    }
  }
}

}  // namespace

std::optional<GenericEvent> generic_event(std::string_view name) {
  if (const auto number = index_in(reader::hardware_event_names, name))
    return GenericEvent{reader::event_type::hardware, *number};
  if (const auto number = index_in(reader::software_event_names, name))
    return GenericEvent{reader::event_type::software, *number};
  if (const auto other = std::ranges::find(other_names, name, &OtherName::name); other != other_names.end())
    return other->event;
  if (const auto config = cache_config(name)) return GenericEvent{reader::event_type::hw_cache, *config};
  return std::nullopt;
}

std::optional<std::uint64_t> raw_event(std::string_view name) {
  if (!name.starts_with('r') || name.size() < 2) return std::nullopt;
  return read_number(fmt::format("0x{}", name.substr(1)));
}

std::vector<std::string> generic_event_names() {
  std::vector<std::string> names;
  for (const std::string_view name : reader::hardware_event_names) names.emplace_back(name);
  for (const std::string_view name : reader::software_event_names) names.emplace_back(name);
  for (const OtherName& other : other_names) names.emplace_back(other.name);
  add_cache_names(names);
  return names;
}

}  // namespace perfsift::record
