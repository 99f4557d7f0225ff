// Records for tests of the flight recorder, encoded as the kernel writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reader/writer/records/process.h"

namespace perfsift::test {

inline std::vector<std::byte> made_comm(std::int32_t pid, std::string_view name) {
  return reader::encode_comm({.pid = pid, .tid = pid, .name = name}, {});
}

inline std::vector<std::byte> made_fork(std::int32_t parent, std::int32_t child) {
  return reader::encode_fork({.pid = child, .parent_pid = parent, .tid = child, .parent_tid = parent}, {});
}

inline std::vector<std::byte> made_exit(std::int32_t pid) {
  return reader::encode_exit({.pid = pid, .parent_pid = pid, .tid = pid, .parent_tid = pid}, {});
}

}  // namespace perfsift::test
