#include "record/bpf/ring_map.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/bpf.h>

#include "base/edit_distance.h"
#include "base/error.h"
#include "record/bpf/bpf_objects.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

namespace {

constexpr const char* needed_rights =
    "maps of other programs need root, or CAP_SYS_ADMIN (a pinned map: CAP_BPF and the rights of its file)";

// By errno.
Error refused(const std::string& what) {
  const int error = errno;
  const char* const advice = error == EPERM || error == EACCES ? needed_rights
                             : error == ENOSYS                 ? "this kernel was built without bpf(2)"
                                                               : "";
  return Error(fmt::format("{}: {}{}{}", what, std::strerror(error), *advice != '\0' ? ": " : "", advice));
}

std::optional<RingMapKind> kind_of(std::uint32_t type) {
  if (type == BPF_MAP_TYPE_PERF_EVENT_ARRAY) return RingMapKind::perf_event_array;
  if (type == BPF_MAP_TYPE_RINGBUF) return RingMapKind::ring_buffer;
  return std::nullopt;
}

// The words of bpftool for the types that are most common.
std::string type_name(std::uint32_t type) {
  constexpr std::array names{"unspec",           "hash",        "array",           "prog_array",
                             "perf_event_array", "percpu_hash", "percpu_array",    "stack_trace",
                             "cgroup_array",     "lru_hash",    "lru_percpu_hash", "lpm_trie"};
  return type < names.size() ? names[type] : fmt::format("type {}", type);
}

struct AnyMap {
  FileDescriptor file;
  bpf_map_info info{};

  std::string name() const { return {info.name, strnlen(info.name, sizeof info.name)}; }
};

bool read_info(AnyMap& map) { return read_bpf_info(BpfKind::map, map.file.get(), &map.info, sizeof map.info); }

RingMapInfo ring_info(const AnyMap& map, RingMapKind kind) {
  return {.id = map.info.id, .kind = kind, .name = map.name(), .max_entries = map.info.max_entries};
}

// Calls visit(map) for each map that still exists.
template <typename Visit>
void visit_maps(Visit&& visit) {
  auto id = bpf_object_after(BpfKind::map, 0);
  if (!id && errno != ENOENT) throw refused("cannot list the maps of BPF programs");
  for (; id; id = bpf_object_after(BpfKind::map, *id)) {
    AnyMap map{.file = open_bpf_object(BpfKind::map, *id)};
    if (map.file && read_info(map)) visit(std::move(map));
  }
}

// "A, B" of the maps that are rings, for messages.
std::string names_of_rings(const std::vector<RingMapInfo>& maps) {
  std::vector<std::string> names;
  for (const RingMapInfo& map : maps) names.push_back(fmt::format("{} (id:{})", map.name, map.id));
  return fmt::format("{}", fmt::join(names, ", "));
}

UsageError no_map_named(const std::string& name) {
  const std::vector<RingMapInfo> rings = ring_maps();
  if (rings.empty()) return UsageError(fmt::format("{}: there is no such map, and no other map is a ring", name));
  std::vector<std::string> names;
  for (const RingMapInfo& map : rings) names.push_back(map.name);
  const std::string_view near = nearest(name, names);
  if (!near.empty()) return UsageError(fmt::format("{}: there is no such map; did you mean {}?", name, near));
  return UsageError(fmt::format("{}: there is no such map; the rings are {}", name, names_of_rings(rings)));
}

// libbpf cuts longer names.
std::string as_kernel_has_it(const std::string& name) { return name.substr(0, BPF_OBJ_NAME_LEN - 1); }

AnyMap map_of_name(const std::string& name) {
  std::vector<AnyMap> found;
  visit_maps([&](AnyMap map) {
    if (map.name() == as_kernel_has_it(name)) found.push_back(std::move(map));
  });
  if (found.empty()) throw no_map_named(name);
  if (found.size() == 1) return std::move(found.front());
  const auto is_no_ring = [](const AnyMap& map) { return !kind_of(map.info.type); };
  if (!std::ranges::all_of(found, is_no_ring)) std::erase_if(found, is_no_ring);
  if (found.size() > 1) {
    std::vector<std::string> ids;
    for (const AnyMap& map : found) ids.push_back(fmt::format("id:{}", map.info.id));
    throw UsageError(fmt::format("{}: several maps have this name: {}", name, fmt::join(ids, ", ")));
  }
  return std::move(found.front());
}

AnyMap opened(AnyMap map, const std::string& text) {
  if (!map.file && errno == ENOENT) throw UsageError(fmt::format("{}: there is no such map", text));
  if (!map.file) throw refused(text);
  if (read_info(map)) return map;
  if (errno == EINVAL) throw UsageError(fmt::format("{}: is no map", text));
  throw refused(text);
}

AnyMap find_map(const std::string& text) {
  constexpr std::string_view id_prefix = "id:";
  if (text.empty()) throw UsageError("the name of a map is empty");
  if (text.find('/') != std::string::npos) return opened({.file = open_pinned_bpf_object(text)}, text);
  if (!text.starts_with(id_prefix)) return map_of_name(text);
  const auto id = read_number(std::string_view(text).substr(id_prefix.size()));
  if (!id || *id == 0 || *id > UINT32_MAX)
    throw UsageError(fmt::format("{}: id:N with the id of a map is needed", text));
  return opened({.file = open_bpf_object(BpfKind::map, static_cast<std::uint32_t>(*id))}, text);
}

RingMap as_ring(AnyMap map, const std::string& text) {
  const auto kind = kind_of(map.info.type);
  if (!kind) {
    throw UsageError(fmt::format("{}: is a map of the type {}: perf_event_array and ringbuf are rings", text,
                                 type_name(map.info.type)));
  }
  RingMapInfo info = ring_info(map, *kind);
  return {.file = std::move(map.file), .info = std::move(info)};
}

}  // namespace

const char* name_of(RingMapKind kind) {
  return kind == RingMapKind::perf_event_array ? "perf event array" : "ring buffer";
}

RingMap open_ring_map(const std::string& text) { return as_ring(find_map(text), text); }

RingMap open_ring_map(int descriptor) {
  const std::string text = fmt::format("descriptor {}", descriptor);
  return as_ring(opened({.file = FileDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0))}, text), text);
}

std::vector<RingMapInfo> ring_maps() {
  std::vector<RingMapInfo> rings;
  visit_maps([&](const AnyMap& map) {
    if (const auto kind = kind_of(map.info.type)) rings.push_back(ring_info(map, *kind));
  });
  return rings;
}

}  // namespace perfsift::record
