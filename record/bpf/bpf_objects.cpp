#include "record/bpf/bpf_objects.h"

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

bpf_cmd next_id_command(BpfKind kind) {
  switch (kind) {
    case BpfKind::program:
      return BPF_PROG_GET_NEXT_ID;
    case BpfKind::map:
      return BPF_MAP_GET_NEXT_ID;
    default:
      return BPF_BTF_GET_NEXT_ID;
  }
}

bpf_cmd open_command(BpfKind kind) {
  switch (kind) {
    case BpfKind::program:
      return BPF_PROG_GET_FD_BY_ID;
    case BpfKind::map:
      return BPF_MAP_GET_FD_BY_ID;
    default:
      return BPF_BTF_GET_FD_BY_ID;
  }
}

// The kernel answers BPF_OBJ_GET_INFO_BY_FD for any kind, but would write a struct of another one.
bool is_of_kind(BpfKind kind, int object) {
  const std::string info = text_of("/proc/self/fdinfo/" + std::to_string(object));
  const char* const label = kind == BpfKind::program ? "prog_id:" : kind == BpfKind::map ? "map_id:" : "btf_id:";
  return ("\n" + info).find(std::string("\n") + label) != std::string::npos;
}

}  // namespace

std::optional<std::uint32_t> bpf_object_after(BpfKind kind, std::uint32_t id) {
  bpf_attr attr{};
  attr.start_id = id;
  return bpf(next_id_command(kind), attr) == 0 ? std::optional(attr.next_id) : std::nullopt;
}

FileDescriptor open_bpf_object(BpfKind kind, std::uint32_t id) {
  bpf_attr attr{};
  attr.prog_id = id;  // map_id and btf_id are at the same place
  return FileDescriptor(static_cast<int>(bpf(open_command(kind), attr)));
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
