// Whose records a reader needs to make sense of some samples: their processes, and those they came from.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "reader/recording.h"

namespace perfsift::analysis {

// Who is who's child, and which thread is whose, of a whole recording: one number may have been given to several, and
// then all of them are meant.
class ProcessTree {
 public:
  explicit ProcessTree(const reader::Recording& recording);

  // The processes of these threads (pid and tid) and all their ancestors. A fork copies mappings and names, so the
  // ancestors' records are needed, too.
  std::set<std::int32_t> needed_by(const std::set<std::pair<std::int32_t, std::int32_t>>& threads) const;

 private:
  std::map<std::int32_t, std::set<std::int32_t>> related_;  // of a pid or tid: its processes and their parents
};

// The process a record tells of, when that is all it is about: of MMAP, MMAP2, COMM, FORK, EXIT, NAMESPACES.
// Nothing of other records, and of those about the kernel.
std::optional<std::int32_t> process_of(const reader::Record& record);

}  // namespace perfsift::analysis
