// What the rows of a report stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/samples/sample_number.h"

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
  // SampleNumber of the same name.
  socket,
  local_weight,
  local_ins_lat,
  local_p_stage_cyc,
  code_page_size,
  transaction,
  addr,
};

std::string_view name_of(SortKey key);

// Whether the functions of one stack may have different values.
constexpr bool is_of_functions(SortKey key) { return key <= SortKey::srcfile; }
// Whether a profile alone does not tell the value: a SampleLog is needed.
constexpr bool needs_log(SortKey key) {
  return key == SortKey::pid || key == SortKey::tgid || key == SortKey::cpu || key == SortKey::cgroup ||
         key == SortKey::time || key >= SortKey::socket;
}
// What samples must be asked for. Nothing: the key is none of a SampleNumber.
std::optional<SampleNumber> number_behind(SortKey key);
// Whether frames must tell source lines (FrameDetail::line).
constexpr bool needs_lines(SortKey key) { return key == SortKey::srcline || key == SortKey::srcfile; }

}  // namespace perfsift::analysis
