// The keys by which tables have rows: the catalogue for report, diff and top, whose rows are sums of samples, and for
// mem, whose rows are sums of accesses to memory.
//
// A key is one row of the catalogue in key.cpp, and its value in analysis/report or in analysis/memory, as far as it
// has rows there. The keys of recorded numbers are those of filter/recorded_numbers.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "filter/sample_facts.h"

namespace perfsift::analysis {

// Keys with a name of perf report --sort or of perf mem report --sort have perf's meaning. The other keys exist only
// here.
enum class Key : std::uint8_t {
  // What the access found, by its data source.
  operation,  // "op"
  level,      // "mem"
  snoop,
  tlb,
  locked,
  blocked,
  // The function in a stack, or the code of an access.
  symbol,
  dso,
  srcline,
  srcfile,
  symbol_iaddr,  // the function and the offset of the instruction in it
  // The data of an access.
  symbol_daddr,  // the data symbol and the offset in it
  variable,      // the data symbol
  member,        // the part of the variable: "orders[3].book.bid"
  field,         // the part without indices: "orders[].book.bid"
  declaration,   // the place of the variable's declaration in the source
  kind,          // the kind of memory: see DataKind
  dso_daddr,
  section,  // the section of the binary
  range,    // the addresses of the mapping
  daddr,
  phys_daddr,
  dcacheline,
  page,
  data_page_size,
  node,  // the node of the data's page
  // The sample and its thread.
  comm,
  comm_nodigit,  // the name of the thread, with <N> for each number in it
  pid,           // thread: TID and name; the key's name is perf's
  tgid,          // process: PID and name of the thread
  cpu,
  cpu_node,
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
using Keys = std::vector<Key>;

// What the rows of a table are sums of.
enum class RowsOf : std::uint8_t { samples, accesses };

// The key of a number of samples. The number's field has a filter::Field::sort_key.
constexpr Key key_of(filter::Fact number) {
  return static_cast<Key>(static_cast<unsigned>(Key::first_number) + static_cast<unsigned>(number));
}
// The number that a key needs from samples. Nothing if the key does not come from key_of().
constexpr std::optional<filter::Fact> number_behind(Key key) {
  if (key < Key::first_number) return std::nullopt;
  return static_cast<filter::Fact>(static_cast<unsigned>(key) - static_cast<unsigned>(Key::first_number));
}

std::string_view name_of(Key key);
// Finds a key by its name, or by another name that perf has for it.
std::optional<Key> find_key(RowsOf rows, std::string_view name);
// All keys of such tables: in the order of Key, then the keys of numbers in the order of the catalogue.
const Keys& keys_of(RowsOf rows);

// Whether the data source of an access alone decides the value.
constexpr bool is_of_source(Key key) { return key <= Key::blocked; }
// Whether the functions of one stack may have different values.
constexpr bool is_of_functions(Key key) { return key >= Key::symbol && key <= Key::srcfile; }
// Whether the key is a label of recordings in a store. Its name is that of the label.
constexpr bool is_label(Key key) { return key >= Key::host && key <= Key::machine; }
// Whether the value is not in a profile, so that a report needs a SampleTable.
constexpr bool needs_table(Key key) {
  return key == Key::pid || key == Key::tgid || key == Key::cpu || key == Key::cgroup || key == Key::time ||
         key >= Key::host;
}
// Whether the key needs source lines: in a report, frames with FrameDetail::line.
constexpr bool needs_lines(Key key) { return key == Key::srcline || key == Key::srcfile; }

}  // namespace perfsift::analysis
