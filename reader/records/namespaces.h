// PERF_RECORD_NAMESPACES: the namespaces a thread lives in.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reader/record.h"

namespace perfsift::reader {

struct NamespaceLink {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

struct Namespaces {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::vector<NamespaceLink> links;  // in the kernel's order: net, uts, ipc, pid, user, mnt, cgroup
};

std::optional<Namespaces> decode_namespaces(const Record& record);

}  // namespace perfsift::reader
