// What the rows of a report stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "filter/sample_facts.h"

namespace perfsift::analysis {

// The meaning of each key is that of perf report --sort.
enum class SortKey : std::uint8_t {
  // Of a function in a stack.
  symbol,
  dso,
  srcline,
  srcfile,
  // Of a sample.
  comm,
  comm_nodigit,  // the name of the thread, with <N> for each number in it
  pid,           // thread: TID and name. perf's name for it.
  tgid,          // process: PID and name of the thread
  cpu,
  cgroup,
  time,  // the start of the interval of time
  event,
  // From here on: numbers of samples, see key_of().
  first_number,
};

// The key of a number of samples, whose field has a filter::Field::sort_key.
constexpr SortKey key_of(filter::Fact number) {
  return static_cast<SortKey>(static_cast<unsigned>(SortKey::first_number) + static_cast<unsigned>(number));
}
// The number that samples must be asked for. Nothing: the key is none of key_of().
constexpr std::optional<filter::Fact> number_behind(SortKey key) {
  if (key < SortKey::first_number) return std::nullopt;
  return static_cast<filter::Fact>(static_cast<unsigned>(key) - static_cast<unsigned>(SortKey::first_number));
}

std::string_view name_of(SortKey key);
// Finds a key by its name.
std::optional<SortKey> find_key(std::string_view name);
// All keys: those of functions, of samples, and of numbers in the order of the catalogue.
const std::vector<SortKey>& all_keys();

// Whether the functions of one stack may have different values.
constexpr bool is_of_functions(SortKey key) { return key <= SortKey::srcfile; }
// Whether a profile alone does not have the value: a SampleTable is needed.
constexpr bool needs_table(SortKey key) {
  return key == SortKey::pid || key == SortKey::tgid || key == SortKey::cpu || key == SortKey::cgroup ||
         key == SortKey::time || key >= SortKey::first_number;
}
// Whether frames must tell source lines (FrameDetail::line).
constexpr bool needs_lines(SortKey key) { return key == SortKey::srcline || key == SortKey::srcfile; }

}  // namespace perfsift::analysis
