// Memory that is shared with the kernel.
#pragma once

#include <cstddef>
#include <optional>

#include <sys/mman.h>

#include "reader/temporary_file.h"

namespace perfsift::record {

// `rights`: of mmap(2). Nothing: mmap() failed, and errno says why.
inline std::optional<reader::Mapped> map_shared(int fd, std::size_t offset, std::size_t bytes, int rights) {
  void* const memory = mmap(nullptr, bytes, rights, MAP_SHARED, fd, static_cast<off_t>(offset));
  return memory == MAP_FAILED ? std::nullopt : std::optional(reader::Mapped(memory, bytes));
}

}  // namespace perfsift::record
