// Sums of the accesses to a cache line, or to a part of a line.
#pragma once

#include <cstdint>

#include "analysis/memory/memory_access.h"

namespace perfsift::analysis {

struct LineAccesses {
  std::uint64_t loads = 0, stores = 0, others = 0;  // others: loads or stores, not known which
  std::uint64_t local_hitm = 0, remote_hitm = 0, local_peer = 0, remote_peer = 0;
  std::uint64_t weight = 0;

  std::uint64_t all() const { return loads + stores + others; }
  std::uint64_t conflicts() const { return local_hitm + remote_hitm + local_peer + remote_peer; }
  // An access that may be a store counts as a store.
  bool may_store() const { return stores != 0 || others != 0; }
  void add(const MemoryAccess& access);
  void add(const LineAccesses& other);
};

}  // namespace perfsift::analysis
