#include "tools/rings/ring_list.h"

#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "base/size_text.h"
#include "output/json.h"
#include "record/bpf/map_users.h"
#include "record/bpf/ring_map.h"
#include "record/machine/kernel_files.h"

namespace perfsift::tools {
namespace {

using record::RingMapInfo;
using record::RingMapKind;

struct UsedRing {
  RingMapInfo map;
  std::vector<record::MapProgram> programs;
  std::vector<record::MapProcess> processes;
};

std::vector<UsedRing> used_rings() {
  std::vector<UsedRing> rings;
  for (RingMapInfo& map : record::ring_maps()) {
    UsedRing ring{.map = std::move(map)};
    ring.programs = record::programs_of_map(ring.map.id);
    ring.processes = record::processes_of_map(ring.map, record::KernelRoots().proc);
    rings.push_back(std::move(ring));
  }
  return rings;
}

std::string size_of(const RingMapInfo& map) {
  if (map.kind == RingMapKind::ring_buffer) return fmt::format("{}B", size_text(map.max_entries));
  return fmt::format("{} CPUs", map.max_entries);
}

std::string programs_text(const UsedRing& ring) {
  std::vector<std::string> words;
  for (const record::MapProgram& program : ring.programs)
    words.push_back(
        fmt::format("{} (id {}{})", program.name, program.id, program.btf_id == 0 ? ", without types" : ""));
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ", "));
}

std::string processes_text(const UsedRing& ring) {
  std::vector<std::string> words;
  for (const record::MapProcess& process : ring.processes)
    words.push_back(fmt::format("{} {}{}", process.name, process.pid, process.reads ? " (reads)" : ""));
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ", "));
}

std::string line_of(const UsedRing& ring) {
  const std::string name = ring.map.name.empty() ? "-" : ring.map.name;
  return printable(fmt::format("{:<6} {:<16} {:<16} {:<9} {:<36} {}", ring.map.id, name, name_of(ring.map.kind),
                               size_of(ring.map), programs_text(ring), processes_text(ring)));
}

output::Json object_of(const UsedRing& ring) {
  output::Json programs = output::Json::array(), processes = output::Json::array();
  for (const record::MapProgram& program : ring.programs) {
    programs.push_back(
        {{"id", program.id}, {"name", printable_utf8(program.name)}, {"has_types", program.btf_id != 0}});
  }
  for (const record::MapProcess& process : ring.processes)
    processes.push_back({{"pid", process.pid}, {"name", printable_utf8(process.name)}, {"reads", process.reads}});
  return {{"id", ring.map.id},
          {"name", printable_utf8(ring.map.name)},
          {"kind", name_of(ring.map.kind)},
          {"max_entries", ring.map.max_entries},
          {"programs", programs},
          {"processes", processes}};
}

}  // namespace

void print_rings(bool json, std::ostream& out) {
  const std::vector<UsedRing> rings = used_rings();
  if (!json && rings.empty()) out << "no map is a perf event array or a ring buffer\n";
  if (!json && !rings.empty())
    out << fmt::format("{:<6} {:<16} {:<16} {:<9} {:<36} {}\n", "ID", "NAME", "KIND", "SIZE", "PROGRAMS", "PROCESSES");
  for (const UsedRing& ring : rings) out << (json ? object_of(ring).dump() : line_of(ring)) << '\n';
}

}  // namespace perfsift::tools
