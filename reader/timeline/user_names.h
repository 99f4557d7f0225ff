// What the name of a user mapping says about it: is_anon_memory(), is_no_dso_memory() and
// is_vdso_map() in tools/perf/util/map.h and vdso.h.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfsift::reader {

enum class UserNameKind {
  file,       // also what only looks special to us: memfd, "[anon:…]", /dev/shm, "… (deleted)"
  anonymous,  // memory no file is behind
  vdso,
  vsyscall,
};
UserNameKind user_name_kind(std::string_view name);

// Whether a process mapped the jitdump it writes ("…/jit-123.dump"), to tell perf where it is: jit_detect() in
// tools/perf/util/jitdump.c. The number is the pid in the process's own namespace.
bool is_jit_dump(std::string_view name);
// Memory with a name that is no file's, where a compiler that writes code through a second mapping has put it.
bool is_named_memory(std::string_view name);

// MAP_HUGETLB as the kernel of that architecture ("x86_64", "mips64", …) numbers it.
std::uint32_t hugetlb_flag(std::string_view architecture);

}  // namespace perfsift::reader
