// Who uses a map: the programs that write into it, and the processes that have it open.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/bpf/btf.h"
#include "record/bpf/ring_map.h"

namespace perfsift::record {

struct MapProgram {
  std::uint32_t id = 0;
  std::string name;          // at most 15 characters; may hold any bytes
  std::uint32_t btf_id = 0;  // 0: the program was loaded without types
};

// The loaded programs that use a map, ascending by id. Empty without CAP_SYS_ADMIN.
std::vector<MapProgram> programs_of_map(std::uint32_t map);

struct MapProcess {
  std::int32_t pid = 0;
  std::string name;
  // The process has memory that looks like the rings of such a map: mapped perf events, or the pages of a ring buffer
  // behind its first. A reader that has closed its descriptor of the map is not found.
  bool reads = false;
};

// The processes that have the map open, without the calling one. `proc`: the root of procfs. Processes of other pid
// namespaces, and of other users without privileges, are not seen.
std::vector<MapProcess> processes_of_map(const RingMapInfo& map, const std::string& proc);
// "NAME (PID)" of those that read.
std::vector<std::string> readers_of_map(const RingMapInfo& map, const std::string& proc);

// The types that the programs were compiled with, each once. Throws nothing: types that cannot be read are left out.
std::vector<Btf> types_of_programs(const std::vector<MapProgram>& programs);

}  // namespace perfsift::record
