// The programs, maps and types (BTF) that the kernel holds for BPF, by bpf(2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/owned.h"

namespace perfsift::record {

enum class BpfKind : std::uint8_t { program, map, btf };

// All functions are thread-safe. Where the kernel refuses, they return nothing and errno has the reason: EPERM without
// CAP_SYS_ADMIN (for a path: without CAP_BPF or the rights of the file), ENOENT at the end of a list.

// The object with the next higher id; 0 gives the first.
std::optional<std::uint32_t> bpf_object_after(BpfKind kind, std::uint32_t id);
FileDescriptor open_bpf_object(BpfKind kind, std::uint32_t id);
// An object that has a name in the BPF file system.
FileDescriptor open_pinned_bpf_object(const std::string& path);
// Fills a struct of linux/bpf.h (bpf_prog_info, bpf_map_info, bpf_btf_info). The kernel also reads the pointers in it.
// What an older kernel does not know stays as it is. False: refused, or the object is of another kind.
bool read_bpf_info(BpfKind kind, int object, void* info, std::size_t size);
// Stores a number of 4 bytes, such as a descriptor, in an element of a map.
bool update_bpf_map(int map, std::uint32_t key, std::uint32_t value);

}  // namespace perfsift::record
