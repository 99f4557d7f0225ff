// The keys by which the rows of a report are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "filter/sample_facts.h"

namespace perfsift::analysis {

// The meaning of each key is that of perf report --sort.
enum class SortKey : std::uint8_t {
  // Keys of a function in a stack.
  symbol,
  dso,
  srcline,
  srcfile,
  // Keys of a sample.
  comm,
  comm_nodigit,  // the name of the thread, with <N> for each number in it
  pid,           // thread: TID and name; the key's name is perf's
  tgid,          // process: PID and name of the thread
  cpu,
  cgroup,
  time,  // the start of the interval of time
  event,
  // Labels of the recordings in a store.
  host,
  service,
  version,
  kernel,
  machine,
  // The keys of the numbers of samples begin here: see key_of().
  first_number,
};

// The key of a number of samples. The number's field has a filter::Field::sort_key.
constexpr SortKey key_of(filter::Fact number) {
  return static_cast<SortKey>(static_cast<unsigned>(SortKey::first_number) + static_cast<unsigned>(number));
}
// The number that a key needs from samples. Nothing if the key does not come from key_of().
constexpr std::optional<filter::Fact> number_behind(SortKey key) {
  if (key < SortKey::first_number) return std::nullopt;
  return static_cast<filter::Fact>(static_cast<unsigned>(key) - static_cast<unsigned>(SortKey::first_number));
}

// Whether the key is a label of recordings in a store. Its name is that of the label.
constexpr bool is_label(SortKey key) { return key >= SortKey::host && key <= SortKey::machine; }

std::string_view name_of(SortKey key);
// Finds a key by its name.
std::optional<SortKey> find_key(std::string_view name);
// All keys: keys of functions, keys of samples, and keys of numbers in the order of the catalogue.
const std::vector<SortKey>& all_keys();

// Whether the functions of one stack may have different values.
constexpr bool is_of_functions(SortKey key) { return key <= SortKey::srcfile; }
// Whether the value is not in a profile, so that a SampleTable is needed.
constexpr bool needs_table(SortKey key) {
  return key == SortKey::pid || key == SortKey::tgid || key == SortKey::cpu || key == SortKey::cgroup ||
         key == SortKey::time || key >= SortKey::host;
}
// Whether the key needs frames with source lines (FrameDetail::line).
constexpr bool needs_lines(SortKey key) { return key == SortKey::srcline || key == SortKey::srcfile; }

}  // namespace perfsift::analysis
