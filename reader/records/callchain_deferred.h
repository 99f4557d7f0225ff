// PERF_RECORD_CALLCHAIN_DEFERRED: the user part of callchains, recorded when the thread returned to user
// space.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reader/format/record.h"

namespace perfsift::reader {

struct CallchainDeferred {
  std::uint64_t cookie = 0;  // also at the end of the samples that wait for this user part, after USER_DEFERRED
  std::vector<std::uint64_t> addresses;  // leaf first, with context markers
};

std::optional<CallchainDeferred> decode_callchain_deferred(const Record& record);

}  // namespace perfsift::reader
