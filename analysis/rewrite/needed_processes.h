// The processes whose records a reader needs to resolve some samples: the processes of the samples and their ancestors.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "reader/recording.h"

namespace perfsift::analysis {

// The parents of processes and the processes of threads, over a whole recording. If a pid or tid was reused, all its
// processes count.
class ProcessTree {
 public:
  explicit ProcessTree(const reader::Recording& recording);

  // The processes of these threads (pid and tid) and all their ancestors. A fork copies mappings and names, so the
  // ancestors' records are needed too.
  std::set<std::int32_t> needed_by(const std::set<std::pair<std::int32_t, std::int32_t>>& threads) const;

 private:
  std::map<std::int32_t, std::set<std::int32_t>> related_;  // by pid or tid: its processes and their parents
};

// The process of a record about a single process: MMAP, MMAP2, COMM, FORK, EXIT, NAMESPACES. Nothing for other records
// and for records about the kernel.
std::optional<std::int32_t> process_of(const reader::Record& record);

}  // namespace perfsift::analysis
