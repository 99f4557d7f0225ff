#include "analysis/memory/line_accesses.h"

#include "analysis/memory/access_counts.h"

namespace perfsift::analysis {

void LineAccesses::add(const MemoryAccess& access) {
  ++(access.is_load() ? loads : access.is_store() ? stores : others);
  weight += access.weight();
  switch (conflict_of(access.source())) {
    case Conflict::local_hitm:
      ++local_hitm;
      break;
    case Conflict::remote_hitm:
      ++remote_hitm;
      break;
    case Conflict::local_peer:
      ++local_peer;
      break;
    case Conflict::remote_peer:
      ++remote_peer;
      break;
    case Conflict::none:
      break;
  }
}

void LineAccesses::add(const LineAccesses& other) {
  loads += other.loads;
  stores += other.stores;
  others += other.others;
  local_hitm += other.local_hitm;
  remote_hitm += other.remote_hitm;
  local_peer += other.local_peer;
  remote_peer += other.remote_peer;
  weight += other.weight;
}

}  // namespace perfsift::analysis
