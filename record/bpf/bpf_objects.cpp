#include "record/bpf/bpf_objects.h"

#include <array>
#include <cerrno>
#include <utility>

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/machine/kernel_files.h"

namespace perfsift::record {

namespace {

long bpf(bpf_cmd command, bpf_attr& attr) { return syscall(SYS_bpf, command, &attr, sizeof attr); }

std::uint64_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

// How the kernel asks for objects of a kind, and what it calls their ids in /proc/PID/fdinfo.
struct KindFacts {
  bpf_cmd next_id, open;
  const char* label;
};

const KindFacts& facts_of(BpfKind kind) {
  static constexpr std::array<KindFacts, 3> all{{{BPF_PROG_GET_NEXT_ID, BPF_PROG_GET_FD_BY_ID, "prog_id:"},
                                                 {BPF_MAP_GET_NEXT_ID, BPF_MAP_GET_FD_BY_ID, "map_id:"},
                                                 {BPF_BTF_GET_NEXT_ID, BPF_BTF_GET_FD_BY_ID, "btf_id:"}}};
  return all[static_cast<std::size_t>(kind)];
}

// The kernel answers BPF_OBJ_GET_INFO_BY_FD for any kind, but would write a struct of another one.
bool is_of_kind(BpfKind kind, int object) {
  const std::string info = "\n" + text_of("/proc/self/fdinfo/" + std::to_string(object));
  return info.find(std::string("\n") + facts_of(kind).label) != std::string::npos;
}

}  // namespace

std::optional<std::uint32_t> bpf_object_after(BpfKind kind, std::uint32_t id) {
  bpf_attr attr{};
  attr.start_id = id;
  return bpf(facts_of(kind).next_id, attr) == 0 ? std::optional(attr.next_id) : std::nullopt;
}

FileDescriptor open_bpf_object(BpfKind kind, std::uint32_t id) {
  bpf_attr attr{};
  attr.prog_id = id;  // map_id and btf_id are at the same place
  return FileDescriptor(static_cast<int>(bpf(facts_of(kind).open, attr)));
}

FileDescriptor open_pinned_bpf_object(const std::string& path) {
  bpf_attr attr{};
  attr.pathname = address_of(path.c_str());
  return FileDescriptor(static_cast<int>(bpf(BPF_OBJ_GET, attr)));
}

bool read_bpf_info(BpfKind kind, int object, void* info, std::size_t size) {
  if (!is_of_kind(kind, object)) return errno = EINVAL, false;
  bpf_attr attr{};
  attr.info.bpf_fd = static_cast<std::uint32_t>(object);
  attr.info.info_len = static_cast<std::uint32_t>(size);
  attr.info.info = address_of(info);
  return bpf(BPF_OBJ_GET_INFO_BY_FD, attr) == 0;
}

bool update_bpf_map(int map, std::uint32_t key, std::uint32_t value) {
  bpf_attr attr{};
  attr.map_fd = static_cast<std::uint32_t>(map);
  attr.key = address_of(&key);
  attr.value = address_of(&value);
  attr.flags = BPF_ANY;
  return bpf(BPF_MAP_UPDATE_ELEM, attr) == 0;
}

}  // namespace perfsift::record
