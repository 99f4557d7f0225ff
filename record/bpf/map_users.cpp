#include "record/bpf/map_users.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <linux/bpf.h>
#include <unistd.h>

#include "base/page_size.h"
#include "base/text_scanner.h"
#include "base/whole_file.h"
#include "record/bpf/bpf_objects.h"
#include "record/machine/kernel_files.h"

namespace perfsift::record {

namespace {

// The ids of the maps that a program uses. The first question gives their number.
std::vector<std::uint32_t> maps_of(int program, bpf_prog_info& info) {
  if (!read_bpf_info(BpfKind::program, program, &info, sizeof info)) return {};
  std::vector<std::uint32_t> maps(info.nr_map_ids);
  bpf_prog_info with_maps{};
  with_maps.nr_map_ids = static_cast<std::uint32_t>(maps.size());
  with_maps.map_ids = reinterpret_cast<std::uintptr_t>(maps.data());
  if (!read_bpf_info(BpfKind::program, program, &with_maps, sizeof with_maps)) return {};
  return maps;
}

bool has_map_open(const std::string& process, std::uint32_t map) {
  const std::string line = fmt::format("\nmap_id:\t{}", map);
  return std::ranges::any_of(names_in(process + "/fdinfo"), [&](const std::string& fd) {
    const std::string text = text_of(process + "/fdinfo/" + fd) + '\n';
    return text.find(line + '\n') != std::string::npos;
  });
}

// A line of /proc/PID/maps: "7f0c…-7f0c… r--s 00001000 00:0e 1064 anon_inode:bpf-map".
bool is_ring_of(std::string_view line, RingMapKind kind) {
  if (kind == RingMapKind::perf_event_array) return line.ends_with("anon_inode:[perf_event]");
  if (!line.ends_with("anon_inode:bpf-map")) return false;
  const auto begin = take_hex(line);
  line.remove_prefix(line.empty() ? 0 : 1);
  const auto end = take_hex(line);
  constexpr std::size_t size_of_rights = 6;  // " r--s "
  line.remove_prefix(std::min(line.size(), size_of_rights));
  const auto offset = take_hex(line);
  // Arrays are mapped from their beginning. The page of a ring buffer that only readers map for writing is the first.
  return begin && end && offset && *offset == page_size();
}

bool maps_a_ring(const std::string& process, RingMapKind kind) {
  const std::string text = read_whole_file(process + "/maps").value_or("");
  for (std::string_view rest = text; !rest.empty();) {
    if (is_ring_of(take_line(rest), kind)) return true;
  }
  return false;
}

Btf read_btf(std::uint32_t id) {
  const FileDescriptor file = open_bpf_object(BpfKind::btf, id);
  bpf_btf_info info{};
  if (!file || !read_bpf_info(BpfKind::btf, file.get(), &info, sizeof info)) return {};
  std::vector<std::byte> bytes(info.btf_size);
  bpf_btf_info with_bytes{};
  with_bytes.btf = reinterpret_cast<std::uintptr_t>(bytes.data());
  with_bytes.btf_size = static_cast<std::uint32_t>(bytes.size());
  if (!read_bpf_info(BpfKind::btf, file.get(), &with_bytes, sizeof with_bytes)) return {};
  return Btf::parse(std::move(bytes)).value_or(Btf());
}

}  // namespace

std::vector<MapProgram> programs_of_map(std::uint32_t map) {
  std::vector<MapProgram> programs;
  for (auto id = bpf_object_after(BpfKind::program, 0); id; id = bpf_object_after(BpfKind::program, *id)) {
    const FileDescriptor file = open_bpf_object(BpfKind::program, *id);
    if (!file) continue;  // unloaded meanwhile
    bpf_prog_info info{};
    const std::vector<std::uint32_t> maps = maps_of(file.get(), info);
    if (std::ranges::find(maps, map) == maps.end()) continue;
    programs.push_back(
        {.id = info.id, .name = {info.name, strnlen(info.name, sizeof info.name)}, .btf_id = info.btf_id});
  }
  return programs;
}

std::vector<MapProcess> processes_of_map(const RingMapInfo& map, const std::string& proc) {
  std::vector<MapProcess> processes;
  const auto self = static_cast<std::uint32_t>(getpid());
  for (const std::uint32_t pid : numbered_in(proc, "")) {
    const std::string process = fmt::format("{}/{}", proc, pid);
    if (pid == self || !has_map_open(process, map.id)) continue;
    processes.push_back({.pid = static_cast<std::int32_t>(pid),
                         .name = text_of(process + "/comm"),
                         .reads = maps_a_ring(process, map.kind)});
  }
  return processes;
}

std::vector<std::string> readers_of_map(const RingMapInfo& map, const std::string& proc) {
  std::vector<std::string> readers;
  for (const MapProcess& process : processes_of_map(map, proc)) {
    if (process.reads) readers.push_back(fmt::format("{} ({})", process.name, process.pid));
  }
  return readers;
}

std::vector<Btf> types_of_programs(const std::vector<MapProgram>& programs) {
  std::set<std::uint32_t> ids;
  for (const MapProgram& program : programs) ids.insert(program.btf_id);
  std::vector<Btf> types;
  for (const std::uint32_t id : ids) {
    if (id == 0) continue;
    if (Btf btf = read_btf(id); btf.size() != 0) types.push_back(std::move(btf));
  }
  return types;
}

}  // namespace perfsift::record
