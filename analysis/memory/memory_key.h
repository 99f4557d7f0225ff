// The keys by which a report on memory accesses makes rows.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace perfsift::analysis {

// Keys with a name of perf mem report --sort have perf's meaning. The other keys exist only here.
enum class MemoryKey : std::uint8_t {
  // Properties of the access.
  operation,  // "op"
  level,      // "mem"
  snoop,
  tlb,
  locked,
  blocked,
  // The code.
  symbol,
  dso,
  srcline,
  symbol_iaddr,  // the function and the offset of the instruction in it
  code_page_size,
  // The data.
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
  // The thread.
  comm,
  pid,  // thread: TID and name; the key's name is perf's
  tgid,
  cpu,
  cpu_node,
  cgroup,
  event,
  // How long the access took.
  local_weight,
  local_ins_lat,
  local_p_stage_cyc,
};

using MemoryKeys = std::vector<MemoryKey>;

std::string_view name_of(MemoryKey key);
// All keys in the order of MemoryKey.
const MemoryKeys& all_memory_keys();

}  // namespace perfsift::analysis
