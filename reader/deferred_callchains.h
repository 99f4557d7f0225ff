// User callchains that the kernel delivered after their samples (PERF_RECORD_CALLCHAIN_DEFERRED, Linux 6.19).
//
// The callchain of a sample taken in the kernel then ends with a marker and a cookie. When the thread returns to user
// space, one record with that cookie brings the user part, for all samples that wait for it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "reader/format/sample.h"

namespace perfsift::reader {

// Const members are thread-safe.
class DeferredCallchains {
 public:
  // Takes a CALLCHAIN_DEFERRED record; false when it is malformed.
  bool add(const Record& record, std::int32_t tid);
  // Drops what the record brought: all samples that waited for the record have been delivered.
  void remove(const Record& record, std::int32_t tid);
  bool empty() const { return chains_.empty(); }

  // Returns true and stores the whole callchain of `sample` in `joined` when the sample waits for a user part that has
  // come.
  bool join(const Sample& sample, std::vector<Unaligned<std::uint64_t>>& joined) const;

 private:
  std::map<std::pair<std::int32_t, std::uint64_t>, std::vector<std::uint64_t>> chains_;  // by tid and cookie
};

}  // namespace perfsift::reader
