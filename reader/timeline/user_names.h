// The meaning of the name of a user mapping: is_anon_memory(), is_no_dso_memory() and is_vdso_map() in
// tools/perf/util/map.h and vdso.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/binary.h"

namespace perfsift::reader {

// elf: also for names that only look special: memfd, "[anon:…]", /dev/shm, "… (deleted)".
BinaryKind user_name_kind(std::string_view name);

// Whether a mapping is that of a jitdump ("…/jit-123.dump"), which a process maps so that perf records its path:
// jit_detect() in tools/perf/util/jitdump.c. The number is the pid in the process's own namespace.
bool is_jit_dump(std::string_view name);
// Memory with a name that is no file: compilers that write code through a second mapping use such memory.
bool is_named_memory(std::string_view name);
// Whether an executable mapping holds code that was made at run time, and has a name nevertheless: named anonymous
// memory, or memory or a removed file that is shared (MAP_SHARED in `flags`) with the mapping through which the code is
// written. Loaders map programs privately, also those that lie in a memfd.
bool is_memory_of_code(std::string_view name, std::uint32_t flags);

// The number of MAP_HUGETLB in the kernel of that architecture ("x86_64", "mips64", …).
std::uint32_t hugetlb_flag(std::string_view architecture);

}  // namespace perfsift::reader
