#include "analysis/report/sort_key.h"

#include <algorithm>
#include <cstddef>

#include "filter/field.h"

namespace perfsift::analysis {
namespace {

// The order is that of SortKey.
constexpr std::string_view names[] = {"symbol", "dso",     "srcline", "srcfile", "comm",   "comm_nodigit",
                                      "pid",    "tgid",    "cpu",     "cgroup",  "time",   "event",
                                      "host",   "service", "version", "kernel",  "machine"};
static_assert(std::size(names) == static_cast<std::size_t>(SortKey::first_number));

}  // namespace

std::string_view name_of(SortKey key) {
  const std::optional<filter::Fact> number = number_behind(key);
  return number ? filter::sort_field(*number).sort_key : names[static_cast<std::size_t>(key)];
}

std::optional<SortKey> find_key(std::string_view name) {
  const auto found = std::ranges::find(all_keys(), name, [](SortKey key) { return name_of(key); });
  return found != all_keys().end() ? std::optional(*found) : std::nullopt;
}

const std::vector<SortKey>& all_keys() {
  static const std::vector<SortKey> all = [] {
    std::vector<SortKey> keys;
    for (std::size_t i = 0; i < std::size(names); ++i) keys.push_back(static_cast<SortKey>(i));
    for (const filter::Field& field : filter::fields()) {
      if (!field.sort_key.empty()) keys.push_back(key_of(field.fact));
    }
    return keys;
  }();
  return all;
}

}  // namespace perfsift::analysis
